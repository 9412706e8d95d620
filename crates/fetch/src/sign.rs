//! Signed requests: a site can tell that they come from whoever publishes the key ("Web Bot Auth").
//!
//! HTTP Message Signatures (RFC 9421) with Ed25519 over the authority, and over the address of the directory that has the key. Names as in
//! `draft-meunier-web-bot-auth-architecture`; the key is named by its JWK thumbprint (RFC 7638, RFC 8037).

use std::fmt;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use base64::Engine;
use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD};
use gristmill_secrets::Secret;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use ring::digest::{SHA256, digest};
use ring::signature::{Ed25519KeyPair, KeyPair};
use serde::{Deserialize, Serialize};
use url::Url;

/// Where the keys of a signer are found, below its address.
pub const DIRECTORY_PATH: &str = "/.well-known/http-message-signatures-directory";
/// The media type of what stands there.
pub const DIRECTORY_TYPE: &str = "application/http-message-signatures-directory+json";

/// How long a signature holds: clocks differ, and requests wait.
const VALID: Duration = Duration::from_secs(300);

/// With what requests are signed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SignConfig {
    /// An Ed25519 private key: PKCS #8 as PEM, as `openssl genpkey -algorithm ed25519` makes it, or its 32 bytes in Base64. Default: none,
    /// and nothing is signed.
    pub key: Secret,
    /// Where sites find the public key: an https address whose server has the directory, as `gristmill serve` has it. Default: `""`.
    pub directory: String,
}

/// Signs requests. Its key is never shown.
pub struct RequestSigner {
    pair: Ed25519KeyPair,
    key_id: String,
    directory: String,
}

impl fmt::Debug for RequestSigner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RequestSigner").field("key_id", &self.key_id).field("directory", &self.directory).finish()
    }
}

impl SignConfig {
    /// Who signs by these settings, if anybody does.
    ///
    /// # Errors
    /// What is wrong with them; the key is not repeated.
    pub fn signer(&self) -> Result<Option<RequestSigner>, String> {
        if self.key.is_empty() {
            return match self.directory.is_empty() {
                true => Ok(None),
                false => Err("`fetch.sign.directory` goes with `fetch.sign.key`".to_owned()),
            };
        }
        let is_place = Url::parse(&self.directory).is_ok_and(|url| {
            url.scheme() == "https" && url.path() == "/" && url.query().is_none() && url.username().is_empty()
        });
        if !is_place || self.directory.contains(['"', '\\']) {
            return Err(format!(
                "`fetch.sign.directory` must be an address such as `https://crawler.example`, got `{}`",
                self.directory
            ));
        }
        let pair = key_pair(self.key.reveal())
            .ok_or("`fetch.sign.key` is no Ed25519 private key: PKCS #8 as PEM, or 32 bytes in Base64")?;
        let key_id = thumbprint(&pair);
        Ok(Some(RequestSigner { pair, key_id, directory: self.directory.trim_end_matches('/').to_owned() }))
    }
}

fn key_pair(text: &str) -> Option<Ed25519KeyPair> {
    let is_pem = text.trim_start().starts_with("-----BEGIN PRIVATE KEY-----");
    let lines = text.lines().map(str::trim).filter(|line| !is_pem || !line.starts_with("-----"));
    let bytes = BASE64_STANDARD.decode(lines.collect::<String>()).ok()?;
    match is_pem {
        true => Ed25519KeyPair::from_pkcs8_maybe_unchecked(&bytes).ok(),
        false => Ed25519KeyPair::from_seed_unchecked(&bytes).ok(),
    }
}

fn public(pair: &Ed25519KeyPair) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(pair.public_key().as_ref())
}

fn thumbprint(pair: &Ed25519KeyPair) -> String {
    let canonical = format!(r#"{{"crv":"Ed25519","kty":"OKP","x":"{}"}}"#, public(pair));
    BASE64_URL_SAFE_NO_PAD.encode(digest(&SHA256, canonical.as_bytes()).as_ref())
}

/// The host that a request is for, as it is signed: lower case, without the usual port.
fn authority(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default().to_ascii_lowercase();
    url.port().map_or(host.clone(), |port| format!("{host}:{port}"))
}

fn seconds(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

impl RequestSigner {
    /// The fields that sign a request for `url` that goes out at `now`.
    pub(crate) fn fields(&self, url: &Url, now: SystemTime) -> HeaderMap {
        let agent = format!("\"{}\"", self.directory);
        let lines = [("\"@authority\"", authority(url)), ("\"signature-agent\"", agent.clone())];
        let (input, signature) = self.sign(&lines, now, "web-bot-auth");
        let fields = [("signature-agent", agent), ("signature-input", input), ("signature", signature)];
        let field = |(name, value): (&'static str, String)| {
            Some((HeaderName::from_static(name), HeaderValue::from_str(&value).ok()?))
        };
        fields.into_iter().filter_map(field).collect()
    }

    /// The directory of keys: the one that signs.
    pub fn directory(&self) -> String {
        let (id, x) = (&self.key_id, public(&self.pair));
        format!(r#"{{"keys":[{{"kty":"OKP","crv":"Ed25519","x":"{x}","kid":"{id}","use":"sig"}}]}}"#)
    }

    /// The values of `Signature-Input` and `Signature` for the answer with the directory to a request for `host`: whoever has the key
    /// says so.
    pub fn sign_directory(&self, host: &str, now: SystemTime) -> (String, String) {
        self.sign(&[("\"@authority\";req", host.to_ascii_lowercase())], now, "http-message-signatures-directory")
    }

    /// Signs these components, each with its name as it is signed (RFC 9421, section 2.5).
    fn sign(&self, components: &[(&str, String)], now: SystemTime, tag: &str) -> (String, String) {
        let names: Vec<&str> = components.iter().map(|(name, _)| *name).collect();
        let (created, id) = (seconds(now), &self.key_id);
        let parameters = format!(
            r#"({});created={created};expires={};keyid="{id}";alg="ed25519";tag="{tag}""#,
            names.join(" "),
            created + VALID.as_secs()
        );
        let lines: String = components.iter().map(|(name, value)| format!("{name}: {value}\n")).collect();
        let base = format!("{lines}\"@signature-params\": {parameters}");
        let signature = BASE64_STANDARD.encode(self.pair.sign(base.as_bytes()).as_ref());
        (format!("sig1={parameters}"), format!("sig1=:{signature}:"))
    }
}

#[cfg(test)]
mod tests {
    use ring::signature::{ED25519, UnparsedPublicKey};

    use super::*;

    /// The test key of RFC 9421, appendix B.1.4.
    const PEM: &str = "-----BEGIN PRIVATE KEY-----\n\
        MC4CAQAwBQYDK2VwBCIEIJ+DYvh6SEqVTm50DFtMDoQikTmiCqirVv9mWG9qfSnF\n-----END PRIVATE KEY-----\n";

    fn config(key: &str, directory: &str) -> SignConfig {
        SignConfig { key: Secret::new(key), directory: directory.to_owned() }
    }

    #[test]
    fn a_request_is_signed_over_its_authority_and_the_directory() {
        let signer = config(PEM, "https://crawler.example/").signer().unwrap().unwrap();
        // As the draft for Web Bot Auth names this key.
        assert_eq!(signer.key_id, "poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U");
        let at = UNIX_EPOCH + Duration::from_secs(1_735_689_600);
        let fields = signer.fields(&"https://Mill.example:8443/rye?x#y".parse().unwrap(), at);
        let text = |name: &str| fields[name].to_str().unwrap().to_owned();
        assert_eq!(text("signature-agent"), "\"https://crawler.example\"");
        let input = text("signature-input");
        let parameters = input.strip_prefix("sig1=").unwrap();
        assert!(
            parameters
                .starts_with("(\"@authority\" \"signature-agent\");created=1735689600;expires=1735689900;keyid=\""),
            "{input}"
        );
        let base = format!(
            "\"@authority\": mill.example:8443\n\"signature-agent\": \"https://crawler.example\"\n\"@signature-params\": {parameters}"
        );
        let signature = text("signature");
        let signature = signature.strip_prefix("sig1=:").and_then(|rest| rest.strip_suffix(':')).unwrap();
        let public = BASE64_URL_SAFE_NO_PAD.decode(public(&signer.pair)).unwrap();
        let key = UnparsedPublicKey::new(&ED25519, public);
        key.verify(base.as_bytes(), &BASE64_STANDARD.decode(signature).unwrap()).unwrap();
    }

    #[test]
    fn a_key_of_32_bytes_is_the_same_and_what_is_none_is_refused_unseen() {
        let seed = "n4Ni+HpISpVObnQMW0wOhCKROaIKqKtW/2ZYb2p9KcU=";
        let signer = |key: &str| config(key, "https://crawler.example").signer();
        assert_eq!(signer(seed).unwrap().unwrap().key_id, signer(PEM).unwrap().unwrap().key_id);
        assert!(config("", "").signer().unwrap().is_none());
        for key in ["hunter2", "aHVudGVyMg==", "-----BEGIN PRIVATE KEY-----\naHVudGVyMg==\n-----END PRIVATE KEY-----"] {
            let error = signer(key).unwrap_err();
            assert!(
                error.contains("`fetch.sign.key`") && !error.contains("hunter2") && !error.contains("aHVu"),
                "{error}"
            );
        }
        for directory in
            ["", "http://crawler.example", "crawler.example", "https://crawler.example/keys", "https://a@b.example"]
        {
            assert!(config(seed, directory).signer().unwrap_err().contains("`fetch.sign.directory`"), "{directory}");
        }
        assert!(config("", "https://crawler.example").signer().is_err());
        assert!(!format!("{:?}", signer(seed).unwrap()).contains("n4Ni"));
    }
}
