//! Where a server listens: at an address, a name, or a port of every address.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use tokio::net::{TcpListener, lookup_host};

/// `127.0.0.1:8080`, `[::1]:8080`, `localhost:8080`, or `:8080` for every address of the machine.
#[derive(Clone, PartialEq, Eq)]
pub struct Listen {
    /// An address or a name; empty for every address.
    host: String,
    port: u16,
}

/// A text that names no place to listen at.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no place to listen at: write `ADDRESS:PORT`, `NAME:PORT`, or `:PORT` for every address")]
pub struct ListenError(String);

impl Listen {
    /// The host as it was written, without brackets; empty for every address.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// Opens the socket; of a name the first address that can be had, IPv4 first. Port 0 takes a free one.
    ///
    /// # Errors
    /// A name that is unknown, an address that is not ours, or a port that is taken or not for us.
    pub async fn bind(&self) -> std::io::Result<TcpListener> {
        if self.host.is_empty() {
            return TcpListener::bind((Ipv4Addr::UNSPECIFIED, self.port)).await;
        }
        let mut addresses: Vec<SocketAddr> = lookup_host((self.host.as_str(), self.port)).await?.collect();
        addresses.sort_by_key(SocketAddr::is_ipv6);
        TcpListener::bind(&addresses[..]).await
    }
}

impl From<SocketAddr> for Listen {
    fn from(address: SocketAddr) -> Self {
        Self { host: address.ip().to_string(), port: address.port() }
    }
}

impl FromStr for Listen {
    type Err = ListenError;

    fn from_str(text: &str) -> Result<Self, ListenError> {
        let parts = || {
            let (host, port) = text.trim().rsplit_once(':')?;
            let port = port.parse().ok().filter(|_| port.bytes().all(|byte| byte.is_ascii_digit()))?;
            let host = match host.strip_prefix('[') {
                Some(host) => {
                    host.strip_suffix(']').filter(|host| host.parse::<IpAddr>().is_ok_and(|ip| ip.is_ipv6()))?
                }
                None => Some(host).filter(|host| host.bytes().all(is_of_name))?,
            };
            Some(Self { host: host.to_owned(), port })
        };
        parts().ok_or_else(|| ListenError(text.chars().take(100).collect()))
    }
}

fn is_of_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._".contains(&byte)
}

impl fmt::Display for Listen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.host.contains(':') {
            true => write!(f, "[{}]:{}", self.host, self.port),
            false => write!(f, "{}:{}", self.host, self.port),
        }
    }
}

impl fmt::Debug for Listen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for Listen {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Listen {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_read_and_written_as_they_are_and_others_are_refused() {
        for text in ["127.0.0.1:8080", "[::1]:80", "localhost:8080", ":80", "search-1.internal:0"] {
            assert_eq!(text.parse::<Listen>().unwrap().to_string(), text);
        }
        for text in [
            "",
            "8080",
            "localhost",
            "localhost:",
            "localhost:http",
            ":+80",
            ":70000",
            "::1:80",
            "[localhost]:80",
            "a b:80",
        ] {
            assert!(text.parse::<Listen>().is_err(), "{text}");
        }
    }

    #[tokio::test]
    async fn a_name_is_bound_at_its_ipv4_address_and_a_port_alone_at_all() {
        let bound = async |text: &str| text.parse::<Listen>().unwrap().bind().await.unwrap().local_addr().unwrap();
        assert_eq!(bound("localhost:0").await.ip(), IpAddr::from([127, 0, 0, 1]));
        assert_eq!(bound(":0").await.ip(), IpAddr::from([0, 0, 0, 0]));
        assert!("nowhere.invalid:0".parse::<Listen>().unwrap().bind().await.is_err());
    }
}
