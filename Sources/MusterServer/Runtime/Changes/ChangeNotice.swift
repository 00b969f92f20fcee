/// The payload of a change notification: see `muster.announce_change`.
struct ChangeNotice: Hashable, Sendable {
    /// The kind of row.
    var kind: String
    /// The id of the row; 0 for all rows of the kind.
    var id: Int64
    /// The row's revision after the change.
    var revision: Int64

    /// Parses a payload such as `pin 501 1732060800000`; nil for any other text.
    init?(_ payload: String) {
        let words = payload.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3, !words[0].isEmpty, let id = Int64(words[1]), let revision = Int64(words[2]) else {
            return nil
        }
        self.kind = String(words[0])
        self.id = id
        self.revision = revision
    }
}
