"""Random choices, which the seed of a suite repeats."""
import random

seed = 0  # The runner sets it.


def choices(name):
    """Random choices of its own for a part of a suite."""
    return random.Random(f"{seed} {name}")
