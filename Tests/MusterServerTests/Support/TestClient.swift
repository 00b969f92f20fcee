import EventLoop

@testable import MusterClient
@testable import MusterWire

/// A device with a WebSocket.
///
/// It sends frames, waits for frames with deadlines, and maintains rosters as a client does.
///
/// All frames in both directions are recorded in the transcript.
final class TestClient {
    let account: Account
    /// The rosters by group.
    private(set) var rosters: [String: Roster] = [:]
    /// The sequence number of the last fix that was sent.
    var lastSequence: Int64 = 0
    /// The highest acknowledged sequence number.
    private(set) var acknowledged: Int64 = 0
    /// The reason for each rejected sequence number.
    private(set) var rejected: [Int64: String] = [:]
    /// All received frames, in order.
    private(set) var received: [Frame] = []
    /// The server's close code.
    private(set) var closeCode: UInt16?

    private let socket: BlockingWebSocket
    private let transcript: Transcript
    private let clock = MonotonicClock.system
    private var unread: [Frame] = []
    private var lastRequest = 0

    /// Connects without sending `hello`.
    init(
        _ account: Account,
        port: UInt16,
        transcript: Transcript,
        subprotocol: String = "muster.v1",
        headers: [(name: String, value: String)] = []
    ) throws {
        self.account = account
        self.transcript = transcript
        self.socket = try BlockingWebSocket(port: port, subprotocol: subprotocol, headers: headers)
    }

    // MARK: - Sending

    /// Sends a frame of the contract.
    func send(_ type: String, _ fields: JSON = [:]) throws {
        let text = JSON.object([(key: "type", value: .string(type))]).with(fields).text
        self.transcript.sent(text, isValid: true)
        try self.socket.send(text)
    }

    /// Sends a frame that breaks the contract.
    func sendBroken(_ text: String) throws {
        self.transcript.sent(text, isValid: false)
        try self.socket.send(text)
    }

    /// Sends a frame of any opcode.
    func sendRaw(opcode: UInt8, _ payload: [UInt8]) throws {
        self.socket.codec.send(opcode: opcode, payload)
        try self.socket.flush()
    }

    /// Sends several malformed frames in one write, as far as the server accepts them.
    func sendBroken(_ texts: some Sequence<String>) throws {
        for text in texts { self.socket.codec.send(text: text.utf8) }
        try self.socket.flush()
    }

    /// Sends a request and waits for its `ok`.
    ///
    /// - Throws: if the answer is an error.
    @discardableResult
    func request(_ type: String, _ fields: JSON = [:]) throws -> Frame {
        let answer = try self.answer(to: type, fields)
        guard answer.type != "error" else { throw TestFailure("\(type) was answered \(answer)") }
        return answer
    }

    /// Sends a request and waits for its error.
    ///
    /// - Throws: if the request succeeds.
    @discardableResult
    func refusal(of type: String, _ fields: JSON = [:]) throws -> Frame {
        let answer = try self.answer(to: type, fields)
        guard answer.type == "error" else { throw TestFailure("\(type) was not refused but answered \(answer)") }
        return answer
    }

    private func answer(to type: String, _ fields: JSON) throws -> Frame {
        self.lastRequest += 1
        let id = Int64(self.lastRequest)
        try self.send(type, fields.with(["id": .integer(id)]))
        return try self.expect { $0["id"].int == id }
    }

    // MARK: - Waiting

    /// Waits for the answer to a request with this tag.
    func answer(tagged tag: String) throws -> Frame { try self.expect { $0["id"].string == tag } }

    /// Waits for a frame of a type.
    ///
    /// Frames before it remain unread.
    @discardableResult
    func expect(
        _ type: String,
        within milliseconds: Int64 = 60_000,
        where fits: (Frame) -> Bool = { _ in true }
    ) throws -> Frame {
        do {
            return try self.expect(within: milliseconds) { $0.type == type && fits($0) }
        } catch {
            let last = self.received.suffix(5).map(\.text).joined(separator: "\n  ")
            throw TestFailure("\(self.account.name) waits for \(type): \(error); the last frames:\n  \(last)")
        }
    }

    private func expect(within milliseconds: Int64 = 60_000, where fits: (Frame) -> Bool) throws -> Frame {
        if let index = self.unread.firstIndex(where: fits) { return self.unread.remove(at: index) }
        let deadline = self.clock.milliseconds + milliseconds
        while true {
            guard let frame = try self.receive(until: deadline), fits(frame) else { continue }
            self.unread.removeLast()
            return frame
        }
    }

    /// Waits until a condition on the client's state holds.
    func waitUntil(_ what: String, within milliseconds: Int64 = 60_000, _ holds: () -> Bool) throws {
        let deadline = self.clock.milliseconds + milliseconds
        while !holds() {
            do {
                _ = try self.receive(until: deadline)
            } catch {
                let last = self.received.suffix(5).map(\.text).joined(separator: "\n  ")
                throw TestFailure("\(self.account.name) waits for '\(what)': \(error); the last frames:\n  \(last)")
            }
        }
    }

    /// Waits until the client has received all effects of earlier inputs.
    ///
    /// It needs two pongs: changes of a world tick are written after the answers of that tick, and before the next
    /// answers.
    func catchUp() throws {
        for _ in 0..<2 {
            self.lastRequest += 1
            let id = Int64(self.lastRequest)
            try self.send("ping", ["id": .integer(id)])
            try self.expect("pong") { $0["id"].int == id }
        }
    }

    /// Sends a text and returns every frame that carries its tag.
    func answers(to text: String, tagged tag: Int64) throws -> [Frame] {
        let known = self.received.count
        try self.sendBroken(text)
        try self.catchUp()
        return self.received.dropFirst(known).filter { $0["id"].int == tag }
    }

    /// Waits until the server closes the connection.
    @discardableResult
    func expectClose(within milliseconds: Int64 = 60_000) throws -> UInt16 {
        let deadline = self.clock.milliseconds + milliseconds
        while true {
            if let closeCode { return closeCode }
            do { _ = try self.receive(until: deadline) } catch  where self.closeCode != nil { continue }
        }
    }

    /// The unread frames of a type.
    func unreadFrames(_ type: String) -> [Frame] { self.unread.filter { $0.type == type } }

    private func receive(until deadline: Int64) throws -> Frame? {
        if let closeCode { throw TestFailure("the server closed with \(closeCode)") }
        switch try self.socket.next(timeout: deadline - self.clock.milliseconds) {
        case .text(let bytes):
            self.transcript.received(String(decoding: bytes, as: UTF8.self))
            let frame = try Frame(bytes)
            self.take(frame)
            return frame
        case .closed(let number, _):
            self.closeCode = number
            throw TestFailure("the server closed with \(number)")
        case .binary, .ping, .pong, .opened, .refused:
            return nil
        }
    }

    private func take(_ frame: Frame) {
        self.received.append(frame)
        self.unread.append(frame)
        switch frame.type {
        case "roster", "update":
            self.rosters[frame["group"].string ?? "", default: Roster()].apply(frame)
        case "ack":
            self.acknowledged = frame["seq"].int ?? 0
            for each in frame["rejected"].elements { self.rejected[each["seq"].int ?? 0] = each["reason"].string }
        case _:
            break
        }
    }
}
