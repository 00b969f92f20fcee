import EventLoop
import Foundation
import MusterTestSupport
import Synchronization
import Testing

@testable import OutboundHTTP

@Suite(.blocking) struct OutboundClientTests {
    private static let hostile = Result { try StandIn("hostile.py") }

    private static func request(_ path: String) throws -> OutboundRequest {
        OutboundRequest(try OperatorURL(configured: try Self.hostile.get().url + path))
    }

    private static func client() -> OutboundClient { OutboundClient(userAgent: "Muster/test (+mailto:a@b.example)") }

    /// The resident memory of this process, in kilobytes.
    private static func residentKilobytes() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
        return try #require(Int(line.split(separator: " ", omittingEmptySubsequences: true)[1]))
    }

    @Test("an answer comes whole, and the server sees our own name and nothing else of us")
    func answers() async throws {
        struct Echo: Decodable {
            let method: String
            let target: String
            let headers: [String: String]
            let body: String
        }
        let client = Self.client()
        let base = try OperatorURL(configured: try Self.hostile.get().url)
        var request = OutboundRequest(base.appending("echo", query: [("q", "é&")]), method: .post(form: "data=1"))
        request.headers = [("Authorization", "Bearer secret"), ("X-Bad", "a\r\nX-Smuggled: 1")]
        let answer = try await client.send(request)
        let echo = try JSONDecoder().decode(Echo.self, from: Data(answer.body))
        #expect(answer.status == 200)
        #expect(answer.contentType == "application/json")
        #expect(echo.method == "POST")
        #expect(echo.target == "/echo?q=%C3%A9%26")
        #expect(echo.body == "data=1")
        #expect(echo.headers["User-Agent"] == "Muster/test (+mailto:a@b.example)")
        #expect(echo.headers["Authorization"] == "Bearer secret")
        let names = Set(echo.headers.keys.map { $0.lowercased() })
        let usual = [
            "host", "user-agent", "accept", "accept-encoding", "authorization", "content-length", "content-type",
        ]
        #expect(names == Set(usual))
    }

    @Test("a redirect is an answer, wherever it leads, and a status says when to come again")
    func followsNothing() async throws {
        let client = Self.client()
        for target in ["file:///etc/passwd", "http://localhost:1/", "/ok"] {
            let base = try OperatorURL(configured: try Self.hostile.get().url)
            let answer = try await client.send(OutboundRequest(base.appending("redirect", query: [("to", target)])))
            #expect((answer.status, answer.contentType) == (302, "application/json"))
            #expect(answer.body.isEmpty)
        }
        let busy = try await client.send(try Self.request("/status/429"))
        #expect(busy.status == 429)
        #expect(busy.retryAfter == 7_000)
    }

    @Test(
        "whatever a server does, the request ends by its time, and memory stays flat",
        arguments: [
            ("/hang", OutboundError.Code.timeout), ("/drip", .timeout), ("/huge", .tooLarge), ("/bomb", .tooLarge),
            ("/heads", .tooLarge), ("/cut", .unreachable),
        ]
    )
    func endsInTime(_ path: String, code: OutboundError.Code) async throws {
        let client = Self.client()
        var request = try Self.request(path)
        // A request that ends for another reason keeps the usual timeout, so that a busy machine gets there.
        if code == .timeout { request.timeout = 1_000 }
        _ = try await client.send(try Self.request("/ok"))
        let before = try Self.residentKilobytes()
        let start = MonotonicClock.system.milliseconds
        let error = await #expect(throws: OutboundError.self) { try await client.send(request) }
        #expect(error?.code == code)
        #expect(MonotonicClock.system.milliseconds - start < 4_000)
        // The limit of a body is 4 MiB, and arrays grow by doubling; a gigabyte would be noticed.
        #expect(try Self.residentKilobytes() - before < 200_000)
    }

    @Test("no proxy of the environment is used, and who is not there is unreachable")
    func unreachable() async throws {
        let client = Self.client()
        let nobody = OutboundRequest(try OperatorURL(configured: "http://127.0.0.1:1"))
        let error = await #expect(throws: OutboundError.self) { try await client.send(nobody) }
        #expect(error?.code == .unreachable)
    }

    @Test("a host gets so many requests at once, and waiting for one's turn does not count as its silence")
    func spares() async throws {
        let outcomes = Mutex<[OutboundOutcome: Int]>([:])
        let client = OutboundClient(userAgent: "Muster/test") { outcome, _ in
            outcomes.withLock { $0[outcome, default: 0] += 1 }
        }
        var request = try Self.request("/slow")
        request.concurrency = 2
        // Less than half of the time of all requests.
        request.timeout = 800
        let each = request
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<24 { group.addTask { try await client.send(each).status } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses == Array(repeating: 200, count: 24))
        let most = try await client.send(try Self.request("/most"))
        #expect(String(decoding: most.body, as: UTF8.self) == "2")
        #expect(outcomes.withLock { $0 } == [.ok: 25])
    }

    @Test("a request whose turn does not come in time, or that is given up, ends without the server")
    func expires() async throws {
        let client = Self.client()
        var hanging = try Self.request("/hang")
        hanging.concurrency = 1
        hanging.timeout = 60_000
        let first = hanging
        let holder = Task { try await client.send(first) }
        var second = hanging
        second.deadline = MonotonicClock.system.milliseconds + 300
        // Before the first request has started, the second could overtake it; both orders end the same way for the
        // second.
        let waiting = second
        let late = await #expect(throws: OutboundError.self) { try await client.send(waiting) }
        #expect(late.map { [.queueTimeout, .timeout].contains($0.code) } == true)
        holder.cancel()
        let cancelled = await holder.result
        #expect(throws: OutboundError.self) { try cancelled.get() }
        // The host has a free slot again.
        var third = try Self.request("/ok")
        third.concurrency = 1
        #expect(try await client.send(third).status == 200)
    }
}
