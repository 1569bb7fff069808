"""Papers: pairings, result slips, player cards, standings. From plain values to PDF bytes, without queries."""
