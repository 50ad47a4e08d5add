"""PostgreSQL and Valkey for one computer: what starts here is stopped here, and no fact is lost."""
