"""What all pictures share."""
