"""django-hordak and django-ledger in a Django project and an environment of their own."""
