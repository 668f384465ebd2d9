"""What a failed check raises. A failed check is a defect of this package, never of the kernel."""

from __future__ import annotations


class CheckError(AssertionError):
    """A pass gave something that breaks a rule of what follows it; the text names pass, place and rule."""
