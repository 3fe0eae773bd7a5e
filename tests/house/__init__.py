"""What holds of the code as a whole, whatever it does."""
