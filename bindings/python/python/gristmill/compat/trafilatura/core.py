"""The functions that extract, under their full names."""

from . import bare_extraction, baseline, extract, extract_with_metadata, html2txt

__all__ = ["bare_extraction", "baseline", "extract", "extract_with_metadata", "html2txt"]
