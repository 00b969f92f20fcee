import EventLoop
import MusterCore
import MusterStore

/// Hides what operators take down, as soon as the change feed tells of it.
///
/// Pins and events have kinds of their own. The rest is hidden by what a row says of it, once more at will: whoever begins to
/// listen reads all rows since this process began, for each may have been missed.
struct TakeDowns: Sendable {
    /// How much earlier than this process's beginning what it read may have been taken down, in milliseconds.
    private static let slack: Int64 = 600_000

    private let world: any WorldLink
    private let maps: SpotMaps
    private let chat: ChatDesk
    private let began: Timestamp

    /// Begins now.
    init(world: any WorldLink, maps: SpotMaps, chat: ChatDesk, clock: MonotonicClock) {
        self.world = world
        self.maps = maps
        self.chat = chat
        self.began = Timestamp(milliseconds: clock.wallMilliseconds - Self.slack)
    }

    /// The line in the table of kinds.
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
