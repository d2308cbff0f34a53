//! The places in which a key has a meaning, and which of them are looked in together.

/// Where a key has its meaning. Overlays come before the screen, the screen before everything else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Place {
    Overview,
    Connections,
    Audit,
    Lists,
    Everywhere,
    /// The enrollment overlay.
    Enroll,
    /// A question.
    Question,
    /// Help, details and other text to read.
    Reading,
    /// The help, besides.
    Help,
    /// The detail of an authorization that waits, besides.
    WaitingDetail,
    /// The detail of a connection, besides.
    ConnectionDetail,
    /// The detail of a record, besides.
    RecordDetail,
    /// The command palette. Every other key is text.
    Palette,
    /// A filter or a prompt. Every other key is text.
    Field,
    /// Works above any overlay.
    Always,
}

impl Place {
    /// All of them, in the order of the key map.
    pub(crate) const ALL: [Place; 15] = [
        Place::Everywhere,
        Place::Always,
        Place::Lists,
        Place::Overview,
        Place::Connections,
        Place::Audit,
        Place::Reading,
        Place::Help,
        Place::WaitingDetail,
        Place::ConnectionDetail,
        Place::RecordDetail,
        Place::Enroll,
        Place::Question,
        Place::Palette,
        Place::Field,
    ];

    /// With the screen Overview.
    pub(crate) const ON_OVERVIEW: &[Place] = &[Place::Always, Place::Overview, Place::Lists, Place::Everywhere];
    /// With the screen Connections.
    pub(crate) const ON_CONNECTIONS: &[Place] = &[Place::Always, Place::Connections, Place::Lists, Place::Everywhere];
    /// With the screen Audit.
    pub(crate) const ON_AUDIT: &[Place] = &[Place::Always, Place::Audit, Place::Lists, Place::Everywhere];
    /// With a text to read, or a detail without intents of its own.
    pub(crate) const IN_TEXT: &[Place] = &[Place::Always, Place::Reading];
    /// With the help.
    pub(crate) const IN_HELP: &[Place] = &[Place::Always, Place::Reading, Place::Help];
    /// With the detail of an authorization.
    pub(crate) const IN_WAITING: &[Place] = &[Place::Always, Place::Reading, Place::WaitingDetail];
    /// With the detail of a connection.
    pub(crate) const IN_CONNECTION: &[Place] = &[Place::Always, Place::Reading, Place::ConnectionDetail];
    /// With the detail of a record.
    pub(crate) const IN_RECORD: &[Place] = &[Place::Always, Place::Reading, Place::RecordDetail];
    /// While a passkey is enrolled.
    pub(crate) const IN_ENROLL: &[Place] = &[Place::Always, Place::Enroll];
    /// With a question.
    pub(crate) const IN_QUESTION: &[Place] = &[Place::Always, Place::Question];
    /// With the palette.
    pub(crate) const IN_PALETTE: &[Place] = &[Place::Always, Place::Palette];
    /// With a field.
    pub(crate) const IN_FIELD: &[Place] = &[Place::Always, Place::Field];
    /// Which places are ever looked in together: in none of these may a key mean two things.
    pub(crate) const TOGETHER: [&[Place]; 12] = [
        Place::ON_OVERVIEW,
        Place::ON_CONNECTIONS,
        Place::ON_AUDIT,
        Place::IN_TEXT,
        Place::IN_HELP,
        Place::IN_WAITING,
        Place::IN_CONNECTION,
        Place::IN_RECORD,
        Place::IN_ENROLL,
        Place::IN_QUESTION,
        Place::IN_PALETTE,
        Place::IN_FIELD,
    ];

    /// Its section in the key map.
    pub(crate) fn section(self) -> &'static str {
        match self {
            Place::Overview => "overview",
            Place::Connections => "connections",
            Place::Audit => "audit",
            Place::Lists => "lists",
            Place::Everywhere => "everywhere",
            Place::Enroll => "enroll",
            Place::Question => "question",
            Place::Reading => "reading",
            Place::Help => "help",
            Place::WaitingDetail => "waiting-detail",
            Place::ConnectionDetail => "connection-detail",
            Place::RecordDetail => "record-detail",
            Place::Palette => "palette",
            Place::Field => "field",
            Place::Always => "always",
        }
    }

    /// Its heading in the help and in the palette.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Place::Overview => "Overview",
            Place::Connections => "Connections",
            Place::Audit => "Audit",
            Place::Lists => "Lists",
            Place::Everywhere | Place::Always => "Everywhere",
            Place::Enroll => "Enrolling a passkey",
            Place::Question => "Questions",
            Place::Reading => "Help and details",
            Place::Help => "Help",
            Place::WaitingDetail => "An authorization",
            Place::ConnectionDetail => "A connection",
            Place::RecordDetail => "A record",
            Place::Palette => "Command palette",
            Place::Field => "Filter and fields",
        }
    }
}
