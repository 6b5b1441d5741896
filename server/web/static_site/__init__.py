"""The explorer without a server: a page in one file, and a folder of pages for any web host."""
