import MusterCore

extension Directory {
    /// The current state of rows; deleted ones are left out.
    ///
    /// - Throws: `unavailable`.
    func rows(_ kind: RowKind, _ ids: [Int64]) async throws -> [ChangedRow] {
        switch kind {
        case .pin: try await self.pins(ids.map { PinID($0) }).map { .pin($0) }
        case .event: try await self.events(ids.map { EventID($0) }).map { .event($0) }
        case .spot: try await self.storedSpots(ids).map { .spot($0) }
        }
    }

    /// The rows of a kind that the live state copies, in ascending order of id, a page at a time.
    ///
    /// Events that are over are not copied.
    ///
    /// - Returns: the rows; none after the last page.
    /// - Throws: `unavailable`.
    func rows(_ kind: RowKind, after last: Int64?) async throws -> [ChangedRow] {
        switch kind {
        case .pin: try await self.pins(byIDAfter: last.map { PinID($0) }).map { .pin($0) }
        case .event: try await self.openEvents(after: last.map { EventID($0) }).map { .event($0) }
        case .spot: try await self.storedSpots(after: last.map { SpotID($0) }).map { .spot($0) }
        }
    }
}
