//! Where a request comes from.

use std::net::IpAddr;

/// The address of a client, among the extensions of its requests.
#[derive(Debug, Clone, Copy)]
pub struct Client(pub IpAddr);
