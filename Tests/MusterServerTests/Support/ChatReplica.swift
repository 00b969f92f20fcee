import MusterTestSupport

@testable import MusterWire

/// A client's copy of one room, maintained by the three rules of the protocol.
final class ChatReplica {
    let account: Account
    let room: String
    private let device: String
    private var client: TestClient
    private var read = 0
    private(set) var epoch = ""
    private(set) var version: Int64 = 0
    private(set) var first: Int64 = 1
    private(set) var unread: Int64 = 0
    /// Whether the server announced that the user is out of the room.
    private(set) var isGone = false
    /// Message texts by number, with their versions.
    private(set) var messages: [Int64: (version: Int64, text: String)] = [:]
    /// Messages without an answer so far, by key.
    private(set) var pending: [(key: String, text: String)] = []

    /// Connects, and reads the room.
    init(_ account: Account, room: String, device: String, in fixture: ServerFixture) throws {
        self.account = account
        self.room = room
        self.device = device
        self.client = try fixture.connect(account)
        try self.enter(fixture, holding: [:]) {
            try self.absorb { self.epoch.isEmpty }
            let page = try self.client.request("chat.history", ["room": .string(self.room), "limit": 100])
            for message in page["messages"].elements { self.put(message) }
        }
    }

    /// The versions in the pushes of this connection.
    var pushed: [Int64] {
        self.client.received.filter { $0.type == "chat" && $0["room"].string == self.room }.flatMap { push in
            [push["upTo"].int ?? 0] + push["messages"].elements.compactMap { $0["version"].int }
        }
    }

    /// Reconnects with its copy of the room, and sends unanswered messages again.
    func comeBack(to fixture: ServerFixture) throws {
        let held: JSON = ["epoch": .string(self.epoch), "version": .integer(self.version), "read": 0]
        try self.enter(fixture, holding: .object([(key: self.room, value: held)])) { try self.sayAgain() }
    }

    /// Connects and runs `begin`, repeatedly while the server reports that storage is unavailable.
    private func enter(_ fixture: ServerFixture, holding rooms: JSON, _ begin: () throws -> Void) throws {
        let isIn = try MusterTestSupport.eventually {
            do {
                self.client = try fixture.enter(self.account, device: self.device, resume: ["rooms": rooms])
                self.read = 0
                try begin()
                return true
            } catch let failure as TestFailure where "\(failure)".contains("closed with 4503") {
                return false
            }
        }
        guard isIn else { throw TestFailure("\(self.account.name) is not let in") }
    }

    /// Waits until a condition holds, and reconnects whenever the server reports that storage is unavailable.
    func eventually(in fixture: ServerFixture, _ holds: () throws -> Bool) throws -> Bool {
        try MusterTestSupport.eventually {
            do {
                return try holds()
            } catch let failure as TestFailure where "\(failure)".contains("closed with 4503") {
                try self.comeBack(to: fixture)
                return false
            }
        }
    }

    /// Sends all unanswered messages again.
    func sayAgain() throws { for message in self.pending { try self.send(message.key, message.text) } }

    /// Queues a message to be sent later.
    func keep(_ key: String, _ text: String) { self.pending.append((key, text)) }

    /// Sends a message and waits until it is answered or the connection is lost.
    func say(_ key: String, _ text: String) throws {
        self.keep(key, text)
        try self.send(key, text)
    }

    /// Sends a request whose outcome does not matter.
    func attempt(_ type: String, _ fields: JSON) throws {
        try self.client.send(type, fields.with(["room": .string(self.room), "id": "attempt"]))
        _ = try self.client.answer(tagged: "attempt")
    }

    /// Applies received frames and fills gaps until the copy is complete.
    func settle() throws {
        try self.client.catchUp()
        try self.absorb { false }
    }

    private func send(_ key: String, _ text: String) throws {
        let fields: JSON = ["room": .string(self.room), "key": .string(key), "text": .string(text), "id": .string(key)]
        try self.client.send("chat.send", fields)
        let answer = try self.client.answer(tagged: key)
        // The message is sent again later.
        guard !answer.isTooOften, answer["retry"].bool != true else { return }
        guard answer["message"]["key"].string == key else { throw TestFailure("\(key) was answered \(answer)") }
        self.pending.removeAll { $0.key == key }
    }

    private func absorb(while isWaiting: () -> Bool) throws {
        if isWaiting() { try self.client.expect("rooms") { $0["rooms"][0]["room"].string == self.room } }
        while self.read < self.client.received.count {
            let frame = self.client.received[self.read]
            self.read += 1
            try self.take(frame)
        }
    }

    private func take(_ frame: Frame) throws {
        switch frame.type {
        case "rooms":
            for status in frame["rooms"].elements where status["room"].string == self.room {
                self.isGone = status["gone"].bool == true
                guard !self.isGone else { continue }
                self.unread = status["unread"].int ?? 0
                self.first = status["first"].int ?? 1
                guard status["epoch"].string != self.epoch else { continue }
                self.epoch = status["epoch"].string ?? ""
                self.version = status["version"].int ?? 0
                self.messages = [:]
            }
        case "chat" where frame["room"].string == self.room:
            let (after, upTo) = (frame["after"].int ?? 0, frame["upTo"].int ?? 0)
            guard upTo > self.version else { return }
            guard after <= self.version else { return try self.fill(upTo: upTo) }
            for message in frame["messages"].elements { self.put(message) }
            self.version = upTo
        case "chat_gap" where frame["room"].string == self.room: try self.fill(upTo: frame["upTo"].int ?? 0)
        case _: break
        }
    }

    private func fill(upTo wanted: Int64) throws {
        while self.version < wanted {
            let answer = try self.client.request(
                "chat.changes",
                [
                    "room": .string(self.room), "epoch": .string(self.epoch), "after": .integer(self.version),
                    "limit": 7,
                ]
            )
            for message in answer["messages"].elements { self.put(message) }
            self.version = answer["upTo"].int ?? wanted
        }
    }

    private func put(_ message: JSONValue) {
        guard let seq = message["seq"].int, let version = message["version"].int else { return }
        if let known = self.messages[seq], known.version >= version { return }
        let text = message["deleted"].bool == true ? "deleted" : message["text"].string ?? message["kind"].string ?? ""
        self.messages[seq] = (version, text)
    }
}
