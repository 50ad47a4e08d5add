"""The books as files that other programs read, and that prove themselves there."""
