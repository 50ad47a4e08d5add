"""Every write of the books: posting, reversal, accounts, gaming days."""
