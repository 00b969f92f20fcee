import Foundation
import MusterCore

/// Writes the answer to OwnTracks: an array of messages of at most 256 KiB.
struct OwnTracksAnswer {
    /// The maximum number of bytes of an answer.
    static let limit = 262_144
    /// The maximum number of bytes of a face.
    static let faceLimit = 10_240

    private static let encoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }()

    /// The body.
    private(set) var body: [UInt8] = [UInt8(ascii: "[")]
    /// The messages that it contains.
    private(set) var messages: [OwnTracksMessage] = []

    /// Writes the messages that fit.
    ///
    /// - Parameters:
    ///   - messages: the messages, the most urgent first.
    ///   - faces: the faces of friends, as JPEG.
    ///   - secret: the key by which each message is sealed; nil for a plain answer.
    ///   - now: the time.
    init(_ messages: [OwnTracksMessage], faces: [UserID: [UInt8]], secret: TrackerSecret?, at now: Timestamp) {
        for message in messages {
            var text = Self.text(of: message, faces: faces, at: now)
            if let secret { text = Self.encoded(SealedMessage(data: secret.seal(text))) }
            // The comma and the bracket at the end.
            guard self.body.count + text.count + 2 <= Self.limit else { continue }
            if !self.messages.isEmpty { self.body.append(UInt8(ascii: ",")) }
            self.body += text
            self.messages.append(message)
        }
        self.body.append(UInt8(ascii: "]"))
    }

    private static func text(of message: OwnTracksMessage, faces: [UserID: [UInt8]], at now: Timestamp) -> [UInt8] {
        switch message {
        case .card(let user):
            let face = faces[user.id].flatMap { $0.count <= Self.faceLimit ? Data($0).base64EncodedString() : nil }
            return Self.encoded(CardMessage(tid: OwnTracksMessage.trackerID(of: user.id), name: user.name, face: face))
        case .location(let user, let position):
            return Self.encoded(LocationMessage(user, position))
        case .clear(let user):
            return Self.encoded(ClearMessage(tid: OwnTracksMessage.trackerID(of: user)))
        case .reportLocation:
            return Self.encoded(CommandMessage())
        case .transition(let alert):
            return Self.encoded(TransitionMessage(alert, at: now))
        }
    }

    private static func encoded(_ message: some Encodable) -> [UInt8] {
        guard let data = try? self.encoder.encode(message) else {
            preconditionFailure("a message of ours cannot be encoded as JSON")
        }
        return Array(data)
    }
}

/// A sealed message.
private struct SealedMessage: Encodable {
    let type = "encrypted"
    let data: String

    private enum CodingKeys: String, CodingKey {
        case type = "_type"
        case data
    }
}

/// The name and the face of a friend.
private struct CardMessage: Encodable {
    let type = "card"
    let tid: String
    let name: String
    let face: String?

    private enum CodingKeys: String, CodingKey {
        case type = "_type"
        case tid
        case name
        case face
    }
}

/// The position of a friend; Android reads all numbers but the degrees as integers.
private struct LocationMessage: Encodable {
    let type = "location"
    let tid: String
    let lat: Double
    let lon: Double
    let tst: Int64
    let acc: Int64?
    let alt: Int64?
    let vel: Int64?
    let cog: Int64?
    let batt: Int64?
    let topic: String

    private enum CodingKeys: String, CodingKey {
        case type = "_type"
        case tid
        case lat
        case lon
        case tst
        case acc
        case alt
        case vel
        case cog
        case batt
        case topic
    }

    init(_ user: UserID, _ position: RosterEntry.Position) {
        self.tid = OwnTracksMessage.trackerID(of: user)
        self.lat = position.coordinate?.latitude ?? 0
        self.lon = position.coordinate?.longitude ?? 0
        self.tst = (position.at?.milliseconds ?? 0) / 1_000
        self.acc = Self.whole(position.accuracy)
        self.alt = Self.whole(position.altitude)
        self.vel = Self.whole(position.speed.map { $0 * 3.6 })
        self.cog = Self.whole(position.course)
        self.batt = Self.whole(position.battery.map { $0 * 100 })
        self.topic = "owntracks/http/\(self.tid)"
    }

    private static func whole(_ number: Float?) -> Int64? {
        // Greater numbers are none of a phone.
        number.flatMap { $0.magnitude < 1e9 ? Int64($0.rounded()) : nil }
    }
}

/// A friend whose position is to be taken from the map.
private struct ClearMessage: Encodable {
    let type = "clear"
    let tid: String
    let topic: String

    private enum CodingKeys: String, CodingKey {
        case type = "_type"
        case tid
        case topic
    }

    init(tid: String) {
        self.tid = tid
        self.topic = "owntracks/http/\(tid)"
    }
}

/// A request for the phone's position.
private struct CommandMessage: Encodable {
    let type = "cmd"
    let action = "reportLocation"

    private enum CodingKeys: String, CodingKey {
        case type = "_type"
        case action
    }
}

/// An alert, which Android shows as a notification.
private struct TransitionMessage: Encodable {
    let type = "transition"
    let tid: String
    let topic: String
    let event = "enter"
    let desc: String
    /// A circle.
    let trigger = "c"
    let lat: Double
    let lon: Double
    let tst: Int64
    let wtst: Int64
    let acc = 0

    private enum CodingKeys: String, CodingKey {
        case type = "_type"
        case tid
        case topic
        case event
        case desc
        case trigger = "t"
        case lat
        case lon
        case tst
        case wtst
        case acc
    }

    init(_ alert: OwnTracksAlert, at now: Timestamp) {
        self.tid = OwnTracksMessage.trackerID(of: alert.user)
        self.topic = "owntracks/http/\(self.tid)/event"
        self.desc = alert.text
        self.lat = alert.coordinate.latitude
        self.lon = alert.coordinate.longitude
        self.tst = min(alert.at, now).milliseconds / 1_000
        self.wtst = self.tst
    }
}
