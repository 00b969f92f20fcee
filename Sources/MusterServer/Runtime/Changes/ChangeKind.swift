/// A kind of row that this process caches, as an entry in the table of the change feed.
///
/// The table of its rows has the triggers of `muster.announce_change` (`sql/migrations`). Each kind performs one read
/// at a time.
struct ChangeKind: Sendable {
    /// The first word of its notices.
    let name: String
    /// Whether this revision of a row or a newer one is cached, so that no read is necessary.
    let isKnown: @Sendable (_ id: Int64, _ revision: Int64) -> Bool
    /// Reads rows again; any of them may have been deleted.
    let readAgain: @Sendable (_ ids: [Int64], Directory) async throws -> Void
    /// Compares cached rows with storage, a page at a time: after a row, or from the beginning.
    ///
    /// Returns the last row of the page; nil when all rows have been compared.
    let compare: @Sendable (_ last: Int64?, Directory) async throws -> Int64?

    /// Creates a kind.
    init(
        _ name: String,
        isKnown: @escaping @Sendable (_ id: Int64, _ revision: Int64) -> Bool,
        readAgain: @escaping @Sendable (_ ids: [Int64], Directory) async throws -> Void,
        compare: @escaping @Sendable (_ last: Int64?, Directory) async throws -> Int64?
    ) {
        self.name = name
        self.isKnown = isKnown
        self.readAgain = readAgain
        self.compare = compare
    }
}
