//! Tells requests that dialled from those that went over a connection that was kept, which may be dead without anyone's fault.

use std::cell::Cell;
use std::error::Error;
use std::io;
use std::task::{Context, Poll};

use tower_layer::Layer;
use tower_service::Service;

tokio::task_local! {
    /// Whether the request under way has dialled.
    static DIALLED: Cell<bool>;
}

/// Notes each connection that is dialled on the request that needs it.
#[derive(Clone)]
pub(crate) struct DialLayer;

impl<S> Layer<S> for DialLayer {
    type Service = DialService<S>;

    fn layer(&self, inner: S) -> Self::Service {
        DialService(inner)
    }
}

/// A connector under a [`DialLayer`].
#[derive(Clone)]
pub(crate) struct DialService<S>(S);

impl<S: Service<R>, R> Service<R> for DialService<S> {
    type Response = S::Response;
    type Error = S::Error;
    type Future = S::Future;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.0.poll_ready(context)
    }

    fn call(&mut self, target: R) -> S::Future {
        // Outside of a request there is nobody to tell.
        let _ = DIALLED.try_with(|dialled| dialled.set(true));
        self.0.call(target)
    }
}

/// Runs one request; tells also whether it dialled.
pub(crate) async fn noting<F: Future>(request: F) -> (F::Output, bool) {
    let noted = async {
        let output = request.await;
        (output, DIALLED.with(Cell::get))
    };
    DIALLED.scope(Cell::new(false), noted).await
}

/// Whether the connection ended before any byte of an answer.
pub(crate) fn is_hang_up(error: &reqwest::Error) -> bool {
    let mut cause: Option<&(dyn Error + 'static)> = error.source();
    while let Some(inner) = cause {
        if let Some(error) = inner.downcast_ref::<hyper::Error>()
            && (error.is_incomplete_message() || error.is_canceled() || error.is_closed())
        {
            return true;
        }
        if let Some(error) = inner.downcast_ref::<io::Error>()
            && matches!(
                error.kind(),
                io::ErrorKind::ConnectionReset
                    | io::ErrorKind::ConnectionAborted
                    | io::ErrorKind::BrokenPipe
                    | io::ErrorKind::UnexpectedEof
            )
        {
            return true;
        }
        cause = inner.source();
    }
    false
}
