"""The parts of `python -m tests.load.bench_ledger`."""
