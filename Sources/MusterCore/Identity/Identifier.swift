/// The identity of one `Subject`: a 64-bit, time-ordered number that the server made.
///
/// On the wire a decimal string, in PostgreSQL the same number as `bigint`.
package struct Identifier<Subject>: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The number itself.
    package let rawValue: Int64

    /// Wraps a number that is known to be such an identity.
    package init(_ rawValue: Int64) { self.rawValue = rawValue }

    /// Reads the decimal form; nil when `text` is anything but a positive number without sign or leading zero.
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
                .init(codingPath: decoder.codingPath, debugDescription: "an id is a decimal string")
            )
        }
        self = value
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(self.description)
    }
}

/// What a `UserID` names.
package enum UserSubject {}
/// What a `DeviceID` names.
package enum DeviceSubject {}
/// What a `SessionID` names.
package enum SessionSubject {}
/// What a `GroupID` names.
package enum GroupSubject {}
/// What a `GatheringID` names.
package enum GatheringSubject {}
/// What a `LocateID` names.
package enum LocateSubject {}
/// What a `LoginID` names.
package enum LoginSubject {}
/// What a `SpotID` names.
package enum SpotSubject {}
/// What a `PinID` names.
package enum PinSubject {}
/// What a `PlanID` names.
package enum PlanSubject {}
/// What a `SuggestionID` names.
package enum SuggestionSubject {}
/// What an `EventID` names.
package enum EventSubject {}
/// What a `PhotoID` names.
package enum PhotoSubject {}
/// What a `RoomID` names.
package enum RoomSubject {}
/// What a `ReportID` names.
package enum ReportSubject {}
/// What a `ShareID` names.
package enum ShareSubject {}
/// What a `SharingWordID` names.
package enum SharingWordSubject {}

/// A person with an account.
package typealias UserID = Identifier<UserSubject>
/// One device of a person, by its client's own key.
package typealias DeviceID = Identifier<DeviceSubject>
/// One WebSocket that said `hello`, or one HTTP request in flight.
package typealias SessionID = Identifier<SessionSubject>
/// A group of friends.
package typealias GroupID = Identifier<GroupSubject>
/// One gathering of a group.
package typealias GatheringID = Identifier<GatheringSubject>
/// One request to know where someone is.
package typealias LocateID = Identifier<LocateSubject>
/// One login: the row of its token.
package typealias LoginID = Identifier<LoginSubject>
/// One place that somebody keeps.
package typealias SpotID = Identifier<SpotSubject>
/// Where one person says that they are.
package typealias PinID = Identifier<PinSubject>
/// One plan for a day out that somebody keeps.
package typealias PlanID = Identifier<PlanSubject>
/// Plans that somebody was suggested, until they save one.
package typealias SuggestionID = Identifier<SuggestionSubject>
/// Something to which people come at a time and a place.
package typealias EventID = Identifier<EventSubject>
/// One photo that somebody uploaded.
package typealias PhotoID = Identifier<PhotoSubject>
/// Where people talk; the same number as its group's or event's.
package typealias RoomID = Identifier<RoomSubject>
/// Something that somebody finds wrong.
package typealias ReportID = Identifier<ReportSubject>
/// One picture of where a group was.
package typealias ShareID = Identifier<ShareSubject>
/// One word of a person about what they let others see.
package typealias SharingWordID = Identifier<SharingWordSubject>
