"""The index of all pages, with the accuracy of the model."""
