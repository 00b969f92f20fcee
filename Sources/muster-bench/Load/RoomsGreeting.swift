import MusterCore
import MusterWire

/// Comes in to Muster with a client that knows rooms, of people who are in some groups.
final class RoomsGreeting: FleetGreeting {
    private struct Known {
        var rosters: [GroupID: RosterVersion] = [:]
        var rooms: [RoomID: RoomPosition] = [:]
    }

    /// Whether sessions say what they still hold of their rosters and rooms.
    var resumes = false

    private let tokens: [String]
    private let groups: @Sendable (Int) -> [GroupID]
    /// What each session holds.
    private var known: [Known]
    /// Groups of which a session waits for the roster, or else for the room.
    private var awaited: [Set<GroupID>]
    private var awaitedRooms: [Set<RoomID>]

    /// Prepares everybody's hello; session `s` is that of the `s`th login, and `groups` says where its person is.
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
        // Of a room that is resumed and unchanged nothing is said.
        self.awaitedRooms[session] = self.resumes ? [] : Set(groups.map(\.room))
        return ClientFrame.hello(
            Hello(
                tag: .number(1),
                token: self.tokens[session],
                device: .init(key: "bench", name: "Bench", kind: .phone),
                resume: self.resumes ? self.known[session].rosters : [:],
                rooms: self.resumes ? self.known[session].rooms : [:]
            )
        ).encoded
    }

    func receive(_ frame: [UInt8], by session: Int) -> GreetingStep {
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
extension RoomsGreeting: Sendable {}
