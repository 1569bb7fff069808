"""The pages of the rules app, by subject."""
