"""Source code, cut along real syntax trees."""
