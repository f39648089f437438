"""What a task text says: its lines by kind, its names, paths, frames, times, type, intent and complexity."""
