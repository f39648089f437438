"""The path of a task, end to end: retrieve, score, pack, render, receipt."""
