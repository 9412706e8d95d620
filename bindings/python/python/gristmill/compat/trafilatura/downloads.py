"""The functions that fetch a page, under their full names."""

from .._fetch import Response, fetch_response, fetch_url

__all__ = ["Response", "fetch_response", "fetch_url"]
