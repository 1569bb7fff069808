"""Paper: what all of it shares (`paper`, `right_to_left`), boards in print, and a dispute with its ruling."""
