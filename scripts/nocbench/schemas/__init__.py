"""JSON Schemas of the files that users write, for editors."""
