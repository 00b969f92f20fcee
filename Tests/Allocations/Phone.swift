import MusterClient

/// One user's session over a real socket.
final class Phone {
    private let socket: BlockingWebSocket
    private let number: Int
    private(set) var sequence: Int64 = 0

    /// Connects, sends `hello`, and waits for the roster.
    init(number: Int, token: String, port: UInt16) throws {
        self.number = number
        self.socket = try BlockingWebSocket(port: port)
        try self.send(
            #"{"type":"hello","id":1,"token":"\#(token)","device":{"key":"probe","kind":"phone"}}"#
        )
        try self.wait(for: #"{"type":"roster""#)
    }

    /// Sends a frame.
    func send(_ frame: String) throws { try self.socket.send(frame) }

    /// Reads until a frame that contains `text` arrives.
    func wait(for text: String) throws {
        while try !self.socket.nextText(timeout: 20_000).contains(text) {}
    }

    /// Reports the next position and returns its latitude as a roster writes it.
    func report(at milliseconds: Int64) throws -> String {
        self.sequence += 1
        try self.send(#"{"type":"location",\#(self.fix(at: milliseconds))}"#)
        return self.latitude
    }

    /// Reports the last position again.
    func repeatReport(at milliseconds: Int64) throws {
        try self.send(#"{"type":"location",\#(self.fix(at: milliseconds))}"#)
    }

    /// Reports `count` positions in one frame, one millisecond apart, and returns the latitude of the last.
    func report(_ count: Int, upTo milliseconds: Int64) throws -> String {
        var fixes: [String] = []
        for index in 0..<count {
            self.sequence += 1
            fixes.append("{\(self.fix(at: milliseconds - Int64(count - 1 - index)))}")
        }
        try self.send(#"{"type":"locations","fixes":[\#(fixes.joined(separator: ","))]}"#)
        return self.latitude
    }

    /// Waits until all reported fixes are durable.
    func waitForAcknowledgement() throws { try self.wait(for: #"{"type":"ack","seq":\#(self.sequence),"#) }

    private func fix(at milliseconds: Int64) -> String {
        """
        "seq":\(self.sequence),\(self.latitude),"lon":-74.0060123,"accuracy":8,"at":\(milliseconds),"speed":1.4,\
        "course":270,"battery":0.81,"trigger":"move"
        """
    }

    /// The next latitude of the user.
    ///
    /// Users are 2 km apart, so no two are together. They walk up and down one kilometre in steps of one metre.
    private var latitude: String {
        let step = self.sequence % 2000
        let tenMillionths = 400_000_000 + Int64(self.number) * 200_000 + min(step, 2000 - step) * 100 + 7
        let fraction = String(tenMillionths % 10_000_000)
        return #""lat":\#(tenMillionths / 10_000_000)."# + String(repeating: "0", count: 7 - fraction.count) + fraction
    }
}
