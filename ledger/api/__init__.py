"""The books as programs read them."""
