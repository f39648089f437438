"""What is remembered: memories, experiences and the values that follow from them, in a database of their own."""
