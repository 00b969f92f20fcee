// The first person creates the group and an invite; the others join by its code; then the story runs. The requests have
// these tags:
//
//   1 hello → welcome      2 group.create → group      3 group.invite → code, url      4 group.join → group

import MusterClient
import MusterCore
import MusterWire
import Scenario

/// A simulated group: its people, its story, and its communication with the server.
struct SimulatedGroup {
    /// A receiver of log lines.
    typealias Narrator = (String) -> Void

    private let name: String
    private let settings: GroupSettingsPatch
    private(set) var people: [SimulatedPerson]
    private var story: Story
    private var group: GroupID?
    private var invite: (code: String, url: String)?
    private var generator: SeededGenerator
    private var battery: Float = 0.9

    /// Creates a group that does not exist on the server yet.
    init(
        name: String,
        people: [SimulatedPerson],
        centre: Coordinate,
        spots: SimulationSpots?,
        settings: GroupSettingsPatch,
        seed: UInt64
    ) {
        self.name = name
        self.people = people
        self.settings = settings
        self.story = Story(people: people.count, around: centre, spots: spots, seed: seed)
        self.generator = SeededGenerator(seed: seed ^ 0x5EED)
    }

    /// The invite link; nil before the invite exists.
    var inviteURL: String? { self.invite?.url }

    /// Whether all people have joined.
    var isComplete: Bool { self.people.allSatisfy(\.isMember) }

    /// Connects all disconnected people whose delay is over.
    mutating func connect(_ loop: ClientLoop, now: Int64) {
        for index in self.people.indices
        where self.people[index].connection == nil && now >= self.people[index].reconnectAt {
            self.people[index].connection = loop.open()
        }
    }

    /// Advances the story by `seconds`; each connected person reports a position.
    mutating func advance(seconds: Double, _ loop: ClientLoop, now: Int64) {
        guard self.isComplete else { return }
        self.story.advance(seconds: seconds)
        self.battery = max(0.2, self.battery - 0.00002)
        for index in self.people.indices {
            guard self.people[index].isWelcome, let connection = self.people[index].connection else { continue }
            let noise = (
                east: Double.random(in: -2...2, using: &self.generator),
                north: Double.random(in: -2...2, using: &self.generator)
            )
            let fix = self.people[index].report(self.story.walkers[index], battery: self.battery, noise: noise)
            loop.send(fix.frame, on: connection)
            if let unread = self.people[index].unread, now >= unread.at {
                self.people[index].unread = nil
                loop.send(Frame("seen", nil, ["upTo": unread.upTo]).encoded, on: connection)
                self.story.notified(index)
            }
        }
    }

    /// Handles an event on a connection.
    ///
    /// - Returns: whether the connection belongs to this group.
    mutating func receive(
        _ event: WebSocketEvent,
        on connection: Int,
        _ loop: ClientLoop,
        now: Int64,
        narrate: Narrator
    ) -> Bool {
        guard let index = self.people.firstIndex(where: { $0.connection == connection }) else { return false }
        switch event {
        case .opened:
            loop.send(self.people[index].hello().frame, on: connection)
        case .text(let bytes):
            self.read(bytes, of: index, on: connection, loop, now: now, narrate: narrate)
        case .refused, .closed:
            self.people[index].loseConnection(now: now, using: &self.generator)
        case .binary, .ping, .pong:
            break
        }
        return true
    }

    private mutating func read(
        _ bytes: [UInt8],
        of index: Int,
        on connection: Int,
        _ loop: ClientLoop,
        now: Int64,
        narrate: Narrator
    ) {
        guard let frame = try? JSONDocument(bytes) else { return }
        switch frame["type"].string {
        case "welcome":
            self.people[index].isWelcome = true
            self.people[index].failures = 0
            self.people[index].sequence = max(
                self.people[index].sequence,
                (frame["device"]["ackedSeq"].int ?? 0) + 1
            )
            self.joinOrCreate(index, on: connection, loop)
        case "ok":
            self.proceed(frame, of: index, on: connection, loop)
        case "left_without_you":
            let number = frame["notification"].int ?? 0
            // The person looks at the phone a few seconds later.
            self.people[index].unread = (upTo: number, at: now + Int64.random(in: 2000...6000, using: &self.generator))
            narrate("\(self.name): \(self.people[index].name) is told (\(frame["variant"].string ?? ""))")
        case "gathering":
            let state = frame["state"].string ?? ""
            guard index == 0 else { return }
            narrate("\(self.name): \(state), \(frame["together"].elements.count) at one place")
        case "error":
            narrate("\(self.name): \(self.people[index].name) got \(frame["code"].string ?? "an error")")
        case _:
            break
        }
    }

    private mutating func joinOrCreate(_ index: Int, on connection: Int, _ loop: ClientLoop) {
        guard !self.people[index].isMember else { return }
        if let invite {
            loop.send(Frame("group.join", .number(4), ["code": invite.code]).encoded, on: connection)
        } else if index == 0 {
            let settings: FieldList = [
                "radius": self.settings.radius, "dwell": self.settings.dwell, "maxAbsent": self.settings.maxAbsent,
                "cooldown": self.settings.cooldown,
            ]
            let fields: FieldList = ["name": self.name, "settings": settings]
            loop.send(Frame("group.create", .number(2), fields).encoded, on: connection)
        }
    }

    private mutating func proceed(_ frame: JSONDocument, of index: Int, on connection: Int, _ loop: ClientLoop) {
        switch frame["id"].int {
        case 2:
            guard let id = frame["group"]["id"].string.flatMap({ GroupID($0) }) else { return }
            self.group = id
            self.people[index].isMember = true
            loop.send(Frame("group.invite", .number(3), ["group": id]).encoded, on: connection)
        case 3:
            guard let code = frame["code"].string, let url = frame["url"].string else { return }
            self.invite = (code, url)
            for other in self.people.indices where self.people[other].isWelcome {
                if let connection = self.people[other].connection { self.joinOrCreate(other, on: connection, loop) }
            }
        case 4:
            self.people[index].isMember = true
        case _:
            break
        }
    }
}
