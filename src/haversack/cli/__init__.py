"""The command line: each verb is a few lines over the library call a Python user makes."""
