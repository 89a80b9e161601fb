"""Imports the learners' library once, in the process that runs are forked from."""

import contextlib

with contextlib.suppress(Exception):  # a run that needs it says what is wrong
    import marlpit.ablate._benchmarl  # noqa: F401
