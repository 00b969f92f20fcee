import EventLoop
import MusterWire

@testable import MusterCore
@testable import MusterServer

extension Store {
    /// Where events take place.
    static let wall = Coordinate(latitude: 48.208_174, longitude: 16.373_8)

    /// An event of the day after tomorrow.
    func eventDraft(
        key: String = "k",
        title: String = "Climbing",
        capacity: Int? = nil,
        group: GroupID? = nil,
        photo: PhotoID? = nil,
        hidesPlace: Bool = false
    ) -> EventCreate {
        EventCreate(
            key: key,
            title: title,
            at: Self.wall,
            startsAt: Timestamp(milliseconds: MonotonicClock.system.wallMilliseconds + 48 * 3_600_000),
            timeZone: "Europe/Vienna",
            placeName: "The wall",
            photo: photo,
            capacity: capacity,
            group: group,
            hidesPlace: hidesPlace
        )
    }

    /// The kinds of a person's notifications, in order.
    func notified(_ user: UserID) async throws -> [String] {
        try await self.directory.inbox(of: user).unseen.map(\.content.kind)
    }
}
