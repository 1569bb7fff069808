"""Powers, team abilities and the abilities of symbols: rows of `Power`, one line each where they are simple.

Rows don't mention editions; each edition's file under `editions` lists the rows it has.
"""
