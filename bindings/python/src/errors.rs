//! The exceptions of the package. All are kinds of `GristmillError`, which is a kind of `ValueError`.

use pyo3::create_exception;
use pyo3::exceptions::PyValueError;

create_exception!(gristmill, GristmillError, PyValueError, "What this package raises, but for TypeError.");
create_exception!(gristmill, UnknownMethod, GristmillError, "No method is written so; methods() lists their names.");
create_exception!(gristmill, UnknownFormat, GristmillError, "A page has no form of this name.");
create_exception!(gristmill, UnknownCharset, GristmillError, "No charset has this label.");
create_exception!(gristmill, InvalidOption, GristmillError, "An option has a value that it cannot have.");
create_exception!(gristmill, NoPage, GristmillError, "The bytes are no page but a PDF, a picture or the like.");
