"""Modules with the functions of other libraries, so that a program changes one import."""

from ._unsupported import Ignored, Unsupported

__all__ = ["Ignored", "Unsupported"]
