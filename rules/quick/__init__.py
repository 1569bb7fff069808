"""Quick answers: questions from the table answered without a board, by the engine on small positions made for them.

No rule and no number stands here. A position is made (`positions`), the engine adjudicates it, and its own sentences
are the answer. Pure: no database and no request.
"""
