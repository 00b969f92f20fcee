/// The identity of a `Subject`: a 64-bit, time-ordered number assigned by the server.
///
/// It is a decimal string on the wire, and the same number as `bigint` in PostgreSQL.
package struct Identifier<Subject>: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The number itself.
    package let rawValue: Int64

    /// Creates an identifier from a number.
    package init(_ rawValue: Int64) { self.rawValue = rawValue }

    /// Parses the decimal form; nil when `text` is anything but a positive number without sign or leading zero.
    package init?(_ text: some StringProtocol) {
        guard let first = text.utf8.first, UInt8(ascii: "1")...UInt8(ascii: "9") ~= first, let value = Int64(text)
        else { return nil }
        self.rawValue = value
    }

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    package var description: String { String(self.rawValue) }
}

extension Identifier: Codable {
    package init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let value = Self(text) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "an id must be a string of decimal digits")
            )
        }
        self = value
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(self.description)
    }
}

/// The subject of a `UserID`.
package enum UserSubject {}
/// The subject of a `DeviceID`.
package enum DeviceSubject {}
/// The subject of a `SessionID`.
package enum SessionSubject {}
/// The subject of a `GroupID`.
package enum GroupSubject {}
/// The subject of a `GatheringID`.
package enum GatheringSubject {}
/// The subject of a `LocateID`.
package enum LocateSubject {}
/// The subject of a `LoginID`.
package enum LoginSubject {}
/// The subject of a `SpotID`.
package enum SpotSubject {}
/// The subject of a `PinID`.
package enum PinSubject {}
/// The subject of a `PushTargetID`.
package enum PushTargetSubject {}
/// The subject of a `PlanID`.
package enum PlanSubject {}
/// The subject of a `SuggestionID`.
package enum SuggestionSubject {}
/// The subject of an `EventID`.
package enum EventSubject {}
/// The subject of a `PhotoID`.
package enum PhotoSubject {}
/// The subject of a `RoomID`.
package enum RoomSubject {}
/// The subject of a `ReportID`.
package enum ReportSubject {}
/// The subject of a `ShareID`.
package enum ShareSubject {}
/// The subject of a `SharingChangeID`.
package enum SharingChangeSubject {}

/// A user with an account.
package typealias UserID = Identifier<UserSubject>
/// A device of a user, identified by its client's own key.
package typealias DeviceID = Identifier<DeviceSubject>
/// A WebSocket after its `hello`, or an HTTP request in flight.
package typealias SessionID = Identifier<SessionSubject>
/// A group of friends.
package typealias GroupID = Identifier<GroupSubject>
/// A gathering of a group.
package typealias GatheringID = Identifier<GatheringSubject>
/// A locate request.
package typealias LocateID = Identifier<LocateSubject>
/// A login: the row of its token.
package typealias LoginID = Identifier<LoginSubject>
/// A public spot.
package typealias SpotID = Identifier<SpotSubject>
/// The id of a device or server that gets notifications.
package typealias PushTargetID = Identifier<PushTargetSubject>
/// A pin: the published position of a user.
package typealias PinID = Identifier<PinSubject>
/// A stored day plan.
package typealias PlanID = Identifier<PlanSubject>
/// A set of suggested plans, until the user saves one.
package typealias SuggestionID = Identifier<SuggestionSubject>
/// An event with a place and a time.
package typealias EventID = Identifier<EventSubject>
/// An uploaded photo.
package typealias PhotoID = Identifier<PhotoSubject>
/// A chat room; it has the same number as its group or event.
package typealias RoomID = Identifier<RoomSubject>
/// A moderation report.
package typealias ReportID = Identifier<ReportSubject>
/// A share picture of a group.
package typealias ShareID = Identifier<ShareSubject>
/// A requested change of a user's sharing.
package typealias SharingChangeID = Identifier<SharingChangeSubject>
