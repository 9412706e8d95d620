//! The program as people call it.

#[path = "../common/mod.rs"]
mod common;

mod agent;
mod archive;
mod archives;
mod chinese;
mod circles;
mod code;
mod comments;
mod control;
mod cookies;
mod copies;
mod corpus_factory;
mod crash;
mod crawl;
mod damage;
mod datasets;
mod demo;
mod deploy;
mod docs;
mod drain;
mod export;
mod extract;
mod extract_service;
mod faults;
mod fields;
mod front_page;
mod guides;
mod history;
mod import;
mod large_bodies;
mod lists;
mod names;
mod newcomer;
mod prometheus;
mod proxy;
mod read_only;
mod recrawl;
mod remote;
mod remote_s3;
mod rights;
mod sites;
mod slow_clients;
mod unreadable;
mod watch;
