"""History of accuracy and results: a line of JSON for each revision, the changes between them, and a page."""
