"""How what is remembered is found: layers of detail, intents, sufficiency, what proved useful, assembled context."""
