import EventLoop
import MusterCore
import MusterStore

/// Hides content that operators take down, as soon as the change feed reports it.
///
/// Pins and events have kinds of their own. All other content is hidden as the row of the take-down states; this may be
/// repeated. Whenever the feed begins to listen, all rows since the start of this process are read, because each may
/// have been missed.
struct TakeDowns: Sendable {
    /// Milliseconds before the start of this process.
    ///
    /// Take-downs since then are read too, because data that this process has read may precede them.
    private static let slack: Int64 = 600_000

    private let world: any WorldLink
    private let maps: SpotMaps
    private let chat: ChatDesk
    private let began: Timestamp

    /// Creates the handler; it covers take-downs from now on.
    init(world: any WorldLink, maps: SpotMaps, chat: ChatDesk, clock: MonotonicClock) {
        self.world = world
        self.maps = maps
        self.chat = chat
        self.began = Timestamp(milliseconds: clock.wallMilliseconds - Self.slack)
    }

    /// The entry of take-downs in the table of change kinds.
    var changeKind: ChangeKind {
        ChangeKind(
            "take_down",
            isKnown: { _, _ in false },
            readAgain: { (ids, directory) async throws(DirectoryError) in
                try await self.hide(try await directory.takeDowns(ids), directory)
            },
            compare: { (directory) async throws(DirectoryError) in
                try await self.hide(try await directory.takeDowns(since: self.began), directory)
            }
        )
    }

    private func hide(_ takeDowns: [TakeDown], _ directory: Directory) async throws(DirectoryError) {
        for done in takeDowns {
            if let spot = done.spot {
                switch done.subject {
                case .spot:
                    self.maps.remove([spot])
                    self.world.send(.spots(.deleted([spot])))
                case .message, .event, .pin, .photo: try await self.showAgain(spot, directory)
                }
            }
            try await self.chat.settleChanged(done.rooms, in: directory)
            guard !done.groups.isEmpty else { continue }
            var inputs = try await directory.snapshots(of: done.groups).map { WorldInput.groupChanged($0, answer: nil) }
            self.world.send(contentsOf: &inputs)
        }
    }

    /// Shows a spot on maps as it is now.
    private func showAgain(_ spot: SpotID, _ directory: Directory) async throws(DirectoryError) {
        let points = try await directory.spotPoints(after: SpotID(spot.rawValue - 1), limit: 1)
        guard let point = points.first, point.id == spot.rawValue else { return }
        self.maps.showAgain(point)
    }
}
