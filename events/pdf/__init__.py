"""Paper: pairings, result slips, player cards, standings. Plain values in, bytes of a PDF out; no queries here."""
