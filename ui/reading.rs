//! Reading the audit forward, without a gap and without holding it whole.
//!
//! Numbers have no gaps, so a stretch of them is asked for as what is before its end, and cut at its beginning.

use quarterdeck::control::{AuditFilter, AuditPage, AuditRow, Client, ClientError, Reply, Request};

/// Numbers in one stretch: what a host looks at for one answer.
const STRETCH: i64 = 5_000;
/// Records asked for at a time.
const MOST: u32 = 500;

/// Why it ended too early.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The host does not answer.
    #[error(transparent)]
    Host(#[from] ClientError),
    /// The host declines: a whole sentence.
    #[error("{0}")]
    Declined(String),
}

/// One page.
pub async fn page(client: &Client, filter: &AuditFilter, before: Option<i64>, most: u32) -> Result<AuditPage, ReadError> {
    match client.request(Request::Audit { filter: filter.clone(), before, most }).await? {
        Reply::Audit(page) => Ok(page),
        Reply::Refused(refusal) => Err(ReadError::Declined(refusal.message)),
        _ => Err(ReadError::Declined("the host answered something else than was asked".to_owned())),
    }
}

/// The newest `most` records that fit, oldest first, and whether there may be more of them.
pub async fn newest(
    client: &Client,
    filter: &AuditFilter,
    before: Option<i64>,
    most: usize,
) -> Result<(Vec<AuditRow>, bool), ReadError> {
    let (mut rows, mut before) = (Vec::new(), before);
    loop {
        let left = u32::try_from(most.saturating_sub(rows.len())).unwrap_or(MOST);
        let page = page(client, filter, before, left.min(MOST)).await?;
        rows.extend(page.rows);
        before = page.next;
        if before.is_none() || rows.len() >= most {
            rows.reverse();
            return Ok((rows, before.is_some()));
        }
    }
}

/// The records after one, as far as they went when the reading began.
pub struct Forward {
    client: Client,
    filter: AuditFilter,
    /// Everything up to here was read.
    read: i64,
    /// Where it ends: not known before the first answer.
    end: Option<i64>,
}

impl Forward {
    /// From the record after `read` on.
    pub fn from(client: Client, filter: AuditFilter, read: i64) -> Forward {
        Forward { client, filter, read, end: None }
    }

    /// The next records that fit, oldest first; there may be none of them in a stretch. `None` at the end.
    ///
    /// # Errors
    /// [`ReadError`].
    pub async fn next(&mut self) -> Result<Option<Vec<AuditRow>>, ReadError> {
        let end = match self.end {
            Some(end) => end,
            None => page(&self.client, &AuditFilter::default(), None, 1).await?.total,
        };
        self.end = Some(end);
        if self.read >= end {
            return Ok(None);
        }
        let until = self.read.saturating_add(STRETCH).min(end);
        let mut rows = self.stretch(until).await?;
        rows.reverse();
        self.read = until;
        Ok(Some(rows))
    }

    /// Everything up to here was read.
    pub fn read(&self) -> i64 {
        self.read
    }

    /// What fits of the records after the last one read up to `until`, newest first.
    async fn stretch(&self, until: i64) -> Result<Vec<AuditRow>, ReadError> {
        let (mut rows, mut before) = (Vec::new(), until.saturating_add(1));
        loop {
            let page = page(&self.client, &self.filter, Some(before), MOST).await?;
            rows.extend(page.rows.into_iter().filter(|row| row.seq > self.read));
            match page.next {
                Some(next) if next > self.read.saturating_add(1) => before = next,
                _ => return Ok(rows),
            }
        }
    }
}
