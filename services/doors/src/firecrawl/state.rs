//! What the handlers share.

use std::sync::Arc;

use super::job_store::JobStore;
use crate::service::DoorService;

#[derive(Clone)]
pub(super) struct FirecrawlState {
    pub service: DoorService,
    pub jobs: Arc<JobStore>,
}
