"""One module for each part of the books: its page, and its file where it has one.

Translate in, read, draw. What a file cannot hold, or what was asked for in vain, is answered by the
page itself with the reason.
"""
