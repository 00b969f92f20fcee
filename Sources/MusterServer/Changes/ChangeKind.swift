import MusterStore

/// A kind of row that this process holds something of, in the table of the change feed.
///
/// Its rows' table has the triggers of `muster.announce_change` (`sql/migrations`). One thing at a time is asked of a kind.
struct ChangeKind: Sendable {
    /// The first word of its notices.
    let name: String
    /// Whether that revision of a row is held, or a newer one, so that there is nothing to read.
    let isKnown: @Sendable (_ id: Int64, _ revision: Int64) -> Bool
    /// Reads rows again, which may be gone.
    let readAgain: @Sendable (_ ids: [Int64], Directory) async throws(DirectoryError) -> Void
    /// Compares all that is held with what storage holds.
    let compare: @Sendable (Directory) async throws(DirectoryError) -> Void

    /// Describes a kind.
    init(
        _ name: String,
        isKnown: @escaping @Sendable (_ id: Int64, _ revision: Int64) -> Bool,
        readAgain: @escaping @Sendable (_ ids: [Int64], Directory) async throws(DirectoryError) -> Void,
        compare: @escaping @Sendable (Directory) async throws(DirectoryError) -> Void
    ) {
        self.name = name
        self.isKnown = isKnown
        self.readAgain = readAgain
        self.compare = compare
    }
}
