import MusterCore

extension ChangeKind {
    /// Milliseconds before the start of this process.
    ///
    /// Take-downs since then are read too, because data that this process has read may precede them.
    private static let slack: Int64 = 600_000

    /// The entry of take-downs in the table of change kinds.
    ///
    /// Deleted rows have kinds of their own. What a take-down changes otherwise, in rooms and groups, is announced as
    /// the row of the take-down states; this may be repeated. Whenever the feed begins to listen, all rows since the
    /// start of this process are read, because each may have been missed.
    static func takeDowns(_ node: ServerNode, _ router: ChangeRouter) -> ChangeKind {
        let began = node.now - self.slack
        @Sendable func announce(_ takeDowns: [TakeDown], _ directory: Directory) async throws {
            for done in takeDowns {
                var changes: [Change] = []
                // The world reads the names of spots before the feed is compared with them.
                if case .spot(let spot) = done.subject { changes.append(.deleted(.spot, id: spot.rawValue)) }
                if !done.groups.isEmpty {
                    changes += try await directory.snapshots(of: done.groups).map { .group($0) }
                }
                if !done.rooms.isEmpty { changes.append(.rooms(done.rooms)) }
                await router.apply(changes)
            }
        }
        return ChangeKind(
            "take_down",
            isKnown: { _, _ in false },
            readAgain: { ids, directory in
                try await announce(try await directory.takeDowns(ids), directory)
            },
            compare: { _, directory in
                try await announce(try await directory.takeDowns(since: began), directory)
                return nil
            }
        )
    }
}
