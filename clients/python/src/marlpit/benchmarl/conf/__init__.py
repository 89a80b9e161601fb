"""Configs of the tasks, where Hydra finds them."""
