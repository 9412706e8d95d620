//! Whom a connection trusts beside the authorities of the system: what `fetch.ca_file` holds.
//!
//! An authority there signs the certificates of others. Small servers have made their certificate themselves, and mark it as an
//! authority since the usual command does so: where the server shows the very certificate that the file holds, it is trusted as it is.

use std::sync::Arc;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::verify_server_name;
use rustls::crypto::CryptoProvider;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{CertificateError, ClientConfig, DigitallySignedStruct, Error, OtherError, SignatureScheme};
use rustls_platform_verifier::Verifier;

/// The settings of TLS that trust the system's authorities and the certificates of a PEM file.
///
/// # Errors
/// The file holds no certificate that can be read, or the system has no authorities.
pub(crate) fn trusting(pem: &[u8], http2: bool) -> Result<ClientConfig, String> {
    let own: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(pem).collect();
    let own = own.map_err(|error| error.to_string())?;
    if own.is_empty() {
        return Err("it holds no certificate".to_owned());
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let system = Verifier::new_with_extra_roots(own.iter().cloned(), Arc::clone(&provider));
    let verifier = Arc::new(Trust { system: system.map_err(|error| error.to_string())?, own });
    let builder = ClientConfig::builder_with_provider(provider as Arc<CryptoProvider>);
    let builder = builder.with_safe_default_protocol_versions().map_err(|error| error.to_string())?;
    let mut config = builder.dangerous().with_custom_certificate_verifier(verifier).with_no_client_auth();
    let protocols: &[&[u8]] = if http2 { &[b"h2", b"http/1.1"] } else { &[b"http/1.1"] };
    config.alpn_protocols = protocols.iter().map(|protocol| protocol.to_vec()).collect();
    Ok(config)
}

/// Checks certificates as usual, and then whether it is one of the file's own.
#[derive(Debug)]
struct Trust {
    system: Verifier,
    own: Vec<CertificateDer<'static>>,
}

impl ServerCertVerifier for Trust {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let judged = self.system.verify_server_cert(end_entity, intermediates, server_name, ocsp, now);
        match judged {
            // The one fault that is none here; its times were looked at before.
            Err(Error::InvalidCertificate(CertificateError::Other(fault)))
                if is_authority(&fault) && self.own.iter().any(|own| own == end_entity) =>
            {
                names(end_entity, server_name)?;
                Ok(ServerCertVerified::assertion())
            }
            judged => judged,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.system.verify_tls12_signature(message, certificate, signed)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.system.verify_tls13_signature(message, certificate, signed)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.system.supported_verify_schemes()
    }
}

/// Whether a certificate was refused since it is marked as an authority, and that alone.
fn is_authority(fault: &OtherError) -> bool {
    fault.0.to_string() == "CaUsedAsEndEntity"
}

/// Whether a certificate is for this server: it says so, or names none, as old ones do that have their name in the subject.
fn names(certificate: &CertificateDer<'_>, server: &ServerName<'_>) -> Result<(), Error> {
    match verify_server_name(&ParsedCertificate::try_from(certificate)?, server) {
        Err(Error::InvalidCertificate(CertificateError::NotValidForNameContext { presented, .. }))
            if presented.is_empty() =>
        {
            Ok(())
        }
        judged => judged,
    }
}
