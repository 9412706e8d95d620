//! The browsers of a process: started when they are needed, used one page at a time.

use std::sync::{Arc, Mutex};

use gristmill_browser::{Browser, BrowserConfig, StartError};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Some browsers. Clones are the same.
#[derive(Clone)]
pub struct BrowserPool {
    settings: BrowserConfig,
    idle: Arc<Mutex<Vec<Browser>>>,
    slots: Arc<Semaphore>,
}

/// The right to have a page drawn.
pub(crate) struct BrowserPermit {
    browsers: BrowserPool,
    _permit: OwnedSemaphorePermit,
}

impl BrowserPool {
    /// Starts one browser, of at most `most`, so that what is missing is known now.
    ///
    /// # Errors
    /// [`StartError`] says what is missing, and what to do.
    pub async fn start(settings: &BrowserConfig, most: usize) -> Result<Self, StartError> {
        let first = Browser::start(settings.clone()).await?;
        let (idle, slots) = (Arc::new(Mutex::new(vec![first])), Arc::new(Semaphore::new(most.max(1))));
        Ok(Self { settings: settings.clone(), idle, slots })
    }

    /// Waits for a browser that has nothing to do; `None` when the process ends.
    pub(crate) async fn slot(&self) -> Option<BrowserPermit> {
        let permit = self.slots.clone().acquire_owned().await.ok()?;
        Some(BrowserPermit { browsers: self.clone(), _permit: permit })
    }
}

impl BrowserPermit {
    /// The browser, started if all that run are busy.
    pub(crate) async fn browser(&self) -> Result<Browser, StartError> {
        let idle = self.browsers.idle.lock().expect("nothing under this lock panics").pop();
        match idle {
            Some(browser) => Ok(browser),
            None => Browser::start(self.browsers.settings.clone()).await,
        }
    }

    /// Gives it to the next page.
    pub(crate) fn give_back(self, browser: Browser) {
        self.browsers.idle.lock().expect("nothing under this lock panics").push(browser);
    }
}
