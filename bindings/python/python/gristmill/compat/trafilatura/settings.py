"""The settings of trafilatura with their defaults, and the type of its documents."""

from .._document import Document
from .._settings import DEFAULT_CONFIG, use_config

__all__ = ["DEFAULT_CONFIG", "Document", "use_config"]
