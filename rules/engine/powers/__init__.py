"""Powers, team abilities and the abilities of symbols: rows of `Power`, one a line where it is simple.

A row says nothing of editions; which rows a book has stands in its file under `editions`.
"""
