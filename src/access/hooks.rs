//! How other capabilities take part in the life of a grant without `access` knowing them. `lib.rs` registers the hooks.

use super::Grant;
use crate::store::{Error, Tx};

/// Runs when a grant of this name ends, in the same transaction; answers how many pending approvals of the name it voided.
pub(crate) type OnRevoked = Box<dyn Fn(&mut Tx<'_>, &str) -> Result<usize, Error> + Send + Sync>;
/// Runs when a grant is issued, in the same transaction.
pub(crate) type OnApproved = Box<dyn Fn(&mut Tx<'_>, &Grant) -> Result<(), Error> + Send + Sync>;

/// What the other capabilities do when a grant begins or ends.
#[derive(Default)]
pub(crate) struct GrantHooks {
    /// After a grant was written.
    pub(crate) approved: Vec<OnApproved>,
    /// When the owner or the client ends the connection of this name.
    pub(crate) revoked: Vec<OnRevoked>,
}
