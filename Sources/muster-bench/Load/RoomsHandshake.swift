import MusterClient
import MusterCore
import MusterWire

/// The handshake with Muster by a client that supports rooms, for users in several groups.
final class RoomsHandshake: FleetHandshake {
    private struct Known {
        var rosters: [GroupID: RosterVersion] = [:]
        var rooms: [RoomID: RoomPosition] = [:]
    }

    /// Whether sessions send the versions of their rosters and rooms to resume.
    var resumes = false

    private let tokens: [String]
    private let groups: @Sendable (Int) -> [GroupID]
    /// The known versions of each session.
    private var known: [Known]
    /// The groups whose roster, and the rooms whose state, a session waits for.
    private var awaited: [Set<GroupID>]
    private var awaitedRooms: [Set<RoomID>]

    /// Creates the handshake; session `s` uses login `s`, and `groups` returns the groups of its user.
    init(tokens: [String], groups: @escaping @Sendable (Int) -> [GroupID]) {
        self.tokens = tokens
        self.groups = groups
        self.known = Array(repeating: Known(), count: tokens.count)
        self.awaited = Array(repeating: [], count: tokens.count)
        self.awaitedRooms = Array(repeating: [], count: tokens.count)
    }

    let path = "/v1/ws"
    let subprotocol: String? = "muster.v1"

    func hello(of session: Int) -> [UInt8] {
        let groups = Set(self.groups(session))
        self.awaited[session] = groups
        // The server sends nothing for a resumed, unchanged room.
        self.awaitedRooms[session] = self.resumes ? [] : Set(groups.map(\.room))
        return Hello(
            tag: .number(1),
            token: self.tokens[session],
            device: .init(key: "bench", name: "Bench", kind: .phone),
            resume: self.resumes ? self.known[session].rosters : [:],
            rooms: self.resumes ? self.known[session].rooms : [:]
        ).frame
    }

    func receive(_ frame: [UInt8], by session: Int) -> HandshakeStep {
        guard let document = try? JSONDocument(frame) else { return .wait }
        switch document["type"].string {
        case "roster":
            guard let group = document["group"].string.flatMap({ GroupID($0) }),
                let epoch = document["epoch"].string, let version = document["version"].int
            else { return .wait }
            self.known[session].rosters[group] = RosterVersion(epoch: epoch, version: UInt64(version))
            self.awaited[session].remove(group)
        case "rooms":
            for room in document["rooms"].elements { self.note(room, of: session) }
        case "error": return .refused(String(decoding: frame, as: UTF8.self))
        case _: return .wait
        }
        return self.awaited[session].isEmpty && self.awaitedRooms[session].isEmpty ? .ready : .wait
    }

    private func note(_ view: JSONValue, of session: Int) {
        guard let room = view["room"].string.flatMap({ RoomID($0) }), let epoch = view["epoch"].string,
            let version = view["version"].int, let read = view["read"].int
        else { return }
        self.known[session].rooms[room] = RoomPosition(epoch: epoch, version: version, read: read)
        self.awaitedRooms[session].remove(room)
    }
}

@available(*, unavailable)
extension RoomsHandshake: Sendable {}
