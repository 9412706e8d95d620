"""Settings in the form of trafilatura's: a ``ConfigParser`` whose section ``DEFAULT`` has its keys and values."""

from __future__ import annotations

from configparser import ConfigParser
from pathlib import Path

from ._unsupported import refuse

# Those that mean something here, and those that a program may read.
_DEFAULTS = {
    "DOWNLOAD_TIMEOUT": "30",
    "MAX_FILE_SIZE": "20000000",
    "MIN_FILE_SIZE": "10",
    "SLEEP_TIME": "5.0",
    "USER_AGENTS": "",
    "COOKIE": "",
    "MAX_REDIRECTS": "2",
    "SSRF_PROTECTION": "on",
    "INSECURE_SSL_FALLBACK": "off",
    "MIN_EXTRACTED_SIZE": "250",
    "MIN_OUTPUT_SIZE": "1",
    "MIN_OUTPUT_COMM_SIZE": "1",
    "MAX_TREE_SIZE": "",
    "EXTRACTION_TIMEOUT": "30",
    "MIN_DUPLCHECK_SIZE": "100",
    "MAX_REPETITIONS": "2",
    "EXTENSIVE_DATE_SEARCH": "on",
    "EXTERNAL_URLS": "off",
}


def use_config(filename: str | None = None, config: ConfigParser | None = None) -> ConfigParser:
    """``config`` itself, or the defaults with what the file says over them. Raises ``FileNotFoundError``."""
    if config is not None:
        return config
    if filename is not None and not Path(filename).is_file():
        raise FileNotFoundError(f"no file with settings: {filename}")
    config = ConfigParser()
    config.read_dict({"DEFAULT": _DEFAULTS})
    if filename is not None:
        config.read(filename)
    return config


DEFAULT_CONFIG = use_config()


def number(config: ConfigParser, key: str) -> int:
    """A setting that is a number. Raises ``ValueError`` for what is none."""
    return config.getint("DEFAULT", key, fallback=int(_DEFAULTS[key]))


def switch(config: ConfigParser, key: str) -> bool:
    """A setting that is on or off. Raises ``ValueError`` for anything else."""
    return config.getboolean("DEFAULT", key, fallback=_DEFAULTS[key] == "on")


def shortest(config: ConfigParser) -> tuple[int, int]:
    """The lengths of main text and comments of which one must be reached.

    Raises ``Unsupported`` for ``MAX_TREE_SIZE``, and ``TypeError`` for what are no settings. The other settings of extraction choose between ways to read a page, or end
    one: there is one way here, and it has an end.
    """
    if not isinstance(config, ConfigParser):
        raise TypeError(f"`config` is a `ConfigParser`, not `{type(config).__name__}`")
    tree = config.get("DEFAULT", "MAX_TREE_SIZE", fallback="").strip()
    refuse("pages are bounded by built-in limits", MAX_TREE_SIZE=tree)
    return number(config, "MIN_OUTPUT_SIZE"), number(config, "MIN_OUTPUT_COMM_SIZE")
