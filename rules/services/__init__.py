"""Every write to the rows of the rules app: keyword-only verbs, each in one transaction, each leaving its line in a log."""
