"""Chooses, folds, budgets and renders what is copied for an AI chat."""
