"""The explorer: the front page, finding by name or by question, and family trees as pictures."""
