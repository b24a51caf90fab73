"""What many parts use: files, errors, units, words, the columns of result rows."""
