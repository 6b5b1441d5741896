"""What browsers, feed readers and clients of linked data get: pages, pictures, files."""
