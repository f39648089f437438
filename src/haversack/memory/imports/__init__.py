"""What other tools remembered, read as memories, experiences and rewards; the tools' own files are never written."""
