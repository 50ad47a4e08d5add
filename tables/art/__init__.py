"""Faces of tiles and cards for people: every face has one symbol to see and one name to hear."""
