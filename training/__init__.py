"""How the network that reads papers is trained: see README.md."""
