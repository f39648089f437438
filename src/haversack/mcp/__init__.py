"""haversack over the Model Context Protocol: a thin edge over `Haversack`, loaded only by `haversack mcp`."""
