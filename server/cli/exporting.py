"""The command that writes a store as a file: export."""
