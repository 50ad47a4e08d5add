"""The books as an auditor and a pit boss leaf through them: every row is shown and none is touched.

Who may see them is said once (`site`), what a page is made of once (`base`); `books` says of each
table which columns, filters and neighbours its pages show.
"""
