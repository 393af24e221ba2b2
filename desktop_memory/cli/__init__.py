"""One file a command group; importing it pulls in neither Qt nor the model."""
