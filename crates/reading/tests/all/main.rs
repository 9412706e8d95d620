//! What sites are told to be read by.

mod rules;
