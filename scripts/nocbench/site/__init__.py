"""A site of static pages: results, documents, and their search, for any web server or none."""
