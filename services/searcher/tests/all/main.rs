//! The API and the search page, by a client and by a browser.

mod access;
mod api_examples;
mod browser;
mod extract_api;
mod feed;
mod forms;
mod history;
mod http;
mod openapi;
mod support;
