"""PDF documents: shared parts (`paper`, `right_to_left`), boards, and a dispute with its ruling."""
