"""Modules with the functions of other libraries, so that a program changes one import."""

from ._unsupported import Unsupported

__all__ = ["Unsupported"]
