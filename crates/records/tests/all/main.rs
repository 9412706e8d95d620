//! Product records of layouts, languages and hostile pages.

mod any_language;
mod fields;
mod hostile;
mod layouts;
mod learnt_dictionary;
