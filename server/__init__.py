"""Every way into the graph: Python, the command line, and GraphQL over HTTP."""
