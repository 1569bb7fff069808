"""All writes of the rules app: keyword-only functions, one transaction each, recorded in a log."""
