/// What the database says of a row that was changed: see `muster.announce_change`.
package struct ChangeNotice: Hashable, Sendable {
    /// What kind of row.
    package var kind: String
    /// Which row; 0 for all of the kind.
    package var id: Int64
    /// Its revision after the change.
    package var revision: Int64

    /// Reads the payload of a notification: `pin 501 1732060800000`; nil when it is something else.
    package init?(_ payload: String) {
        let words = payload.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3, !words[0].isEmpty, let id = Int64(words[1]), let revision = Int64(words[2]) else {
            return nil
        }
        self.kind = String(words[0])
        self.id = id
        self.revision = revision
    }
}
