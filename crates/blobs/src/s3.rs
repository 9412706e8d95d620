//! Stores that speak the protocol of Amazon S3: Amazon's own, MinIO, Garage, Ceph and others.

use std::sync::Arc;

use object_store::ObjectStore;
use object_store::aws::AmazonS3Builder;

use crate::error::BlobError;

/// How a bucket is reached. Not `Debug`: it holds a secret.
#[derive(Clone, Default)]
pub struct S3 {
    pub bucket: String,
    /// Stands before every key; may be empty.
    pub prefix: String,
    /// `https://host` or `http://host:port`; empty for Amazon's own of the region.
    pub endpoint: String,
    /// Empty: as `AWS_REGION` says, else `us-east-1`.
    pub region: String,
    /// Empty, with the secret: as `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY` say, else what the machine is given.
    pub access_key: String,
    pub secret_key: String,
    /// Of credentials that end; may be empty.
    pub session_token: String,
    /// Whether the bucket stands in the host name instead of the path.
    pub virtual_host: bool,
}

impl S3 {
    pub(crate) fn open(&self) -> Result<Arc<dyn ObjectStore>, BlobError> {
        if self.bucket.is_empty() {
            return Err(BlobError::Setting {
                key: "blobs.url",
                problem: "name a bucket, as `s3://bucket/prefix`".into(),
            });
        }
        if self.access_key.is_empty() != self.secret_key.is_empty() {
            let problem = "set both `blobs.s3.access_key` and `blobs.s3.secret_key`, or neither".into();
            return Err(BlobError::Setting { key: "blobs.s3.access_key", problem });
        }
        // The client takes the process's provider of cryptography; another part may have set the same one already.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let mut builder = AmazonS3Builder::from_env()
            .with_bucket_name(&self.bucket)
            .with_virtual_hosted_style_request(self.virtual_host)
            .with_allow_http(self.endpoint.starts_with("http://"));
        if !self.endpoint.is_empty() {
            builder = builder.with_endpoint(&self.endpoint);
        }
        if !self.region.is_empty() {
            builder = builder.with_region(&self.region);
        }
        if !self.access_key.is_empty() {
            builder = builder.with_access_key_id(&self.access_key).with_secret_access_key(&self.secret_key);
        }
        if !self.session_token.is_empty() {
            builder = builder.with_token(&self.session_token);
        }
        let store = builder.build().map_err(|error| BlobError::of("open", &self.bucket, error))?;
        Ok(Arc::new(store))
    }
}
