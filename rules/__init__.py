"""The rules of the games: pure functions of what lay on the table.

Nothing here reads a clock, a file, a setting or a random source; the same round under the
same house rules settles alike for ever, which is what lets an auditor replay it.
"""
