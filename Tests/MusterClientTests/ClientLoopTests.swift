import EventLoop
import MusterTestSupport
import MusterWire
import Testing

@testable import MusterClient
@testable import MusterCore

@Suite("Many sockets on one thread", .blocking)
struct ClientLoopTests {
    /// Starts a server without a database, which is enough for sockets.
    ///
    /// It answers `hello` with `unavailable`.
    private func serve() throws -> MusterProcess {
        try MusterProcess.serve(database: "host=/nowhere dbname=nobody")
    }

    /// Runs the loop until a condition holds.
    private func iterate(
        _ loop: ClientLoop,
        within milliseconds: Int64 = 15_000,
        until holds: () -> Bool,
        handling body: (Int, WebSocketEvent) -> Void
    ) {
        let deadline = MonotonicClock.system.milliseconds + milliseconds
        while !holds(), MonotonicClock.system.milliseconds < deadline { loop.iterate(timeoutMilliseconds: 50, body) }
    }

    @Test("two hundred sockets open, say hello, and each hears its own answer and close")
    func many() throws {
        let server = try self.serve()
        let loop = ClientLoop(host: "127.0.0.1", port: server.port)
        let numbers = Set((0..<200).map { _ in loop.open() })
        #expect(numbers.count == 200)
        var opened: Set<Int> = []
        var answered: Set<Int> = []
        var closed: [Int: UInt16] = [:]
        self.iterate(
            loop,
            until: { closed.count == 200 },
            handling: { number, event in
                switch event {
                case .opened(let subprotocol):
                    #expect(subprotocol == "muster.v1")
                    #expect(opened.insert(number).inserted)
                    let device = Hello.Device(key: "device-\(number)", kind: .phone)
                    loop.send(
                        Hello(tag: .number(Int64(number)), token: "t", device: device).frame,
                        on: number
                    )
                case .text(let bytes):
                    let frame = try? JSONDocument(bytes)
                    #expect(frame?["code"].string == "unavailable")
                    #expect(frame?["id"].int == Int64(number), "an answer went to another socket")
                    answered.insert(number)
                case .closed(let code, _):
                    closed[number] = code
                case .refused, .binary, .ping, .pong:
                    Issue.record("unexpected: \(event)")
                }
            }
        )
        #expect(opened == numbers)
        #expect(answered == numbers)
        #expect(closed.count == 200)
        #expect(closed.values.allSatisfy { $0 == 4503 })
        #expect(loop.count == 0)
        #expect(server.terminate() == 0)
    }

    @Test("a wrong subprotocol is told as a refusal, nobody there as a close with 1006")
    func refusals() throws {
        let server = try self.serve()
        let port = server.port
        let loop = ClientLoop(host: "127.0.0.1", port: port)
        let number = loop.open(subprotocol: "chat")
        var status: Int?
        self.iterate(
            loop,
            until: { status != nil },
            handling: { notified, event in
                #expect(notified == number)
                if case .refused(let answer) = event { status = answer.status }
            }
        )
        #expect(status == 400)
        #expect(loop.count == 0)
        #expect(server.terminate() == 0)

        let lonely = loop.open()
        var code: UInt16?
        self.iterate(
            loop,
            until: { code != nil },
            handling: { notified, event in
                #expect(notified == lonely)
                if case .closed(let number, _) = event { code = number }
            }
        )
        #expect(code == 1006)
    }

    @Test("a socket that is cut is told of no more, and the server lets go of it")
    func cut() throws {
        let server = try self.serve()
        let loop = ClientLoop(host: "127.0.0.1", port: server.port)
        let (kept, cut) = (loop.open(), loop.open())
        var opened = 0
        self.iterate(
            loop,
            until: { opened == 2 },
            handling: { _, event in
                if case .opened = event { opened += 1 }
            }
        )
        loop.cut(cut)
        #expect(loop.count == 1)
        let isGone = try eventually {
            let page = try BlockingHTTP(port: server.port).request("GET", "/metrics").body
            return String(decoding: page, as: UTF8.self).contains("\nmuster_connections 1\n")
        }
        #expect(isGone)
        // The other connection receives the close code when the server shuts down.
        server.beginTerminating()
        var code: UInt16?
        self.iterate(
            loop,
            until: { code != nil },
            handling: { number, event in
                #expect(number == kept)
                if case .closed(let number, _) = event { code = number }
            }
        )
        #expect(code == 1012)
        #expect(server.waitForEnd(within: 20_000) == 0)
    }
}
