"""What is known of a page besides its text, under its full name."""

from . import Document, extract_metadata

__all__ = ["Document", "extract_metadata"]
