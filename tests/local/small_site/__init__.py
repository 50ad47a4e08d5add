"""A site of one page, which `up` brings up in seconds, so that tests may kill it often."""
