import EventLoop
import Foundation
import MusterTestSupport
import Testing

@testable import MusterCore
@testable import MusterServer
@testable import MusterWire
@testable import WebSocketGateway

@Suite("The table of routes")
struct RouteTableTests {
    private let statistics = HTTPStatistics()

    /// A route table with this test's handlers, without sockets or storage.
    private func table(_ routes: [Route]) -> RouteTable {
        RouteTable(
            routes,
            origins: OriginPolicy(named: ["https://app.example"]),
            statistics: self.statistics,
            clock: ManualClock().clock,
            logger: Logger(level: .error)
        )
    }

    private func ask(
        _ method: HTTPMethod,
        _ path: String,
        query: [(name: String, value: String)] = [],
        headers: HTTPHeaders = [:],
        body: String = "",
        of table: RouteTable
    ) async -> HTTPResponse {
        await table.respond(
            to: HTTPRequest(
                id: RequestID(rawValue: 1),
                method: method,
                path: path,
                query: query,
                headers: headers,
                body: Array(body.utf8)
            )
        )
    }

    /// Accepts requests that send the word.
    private static let word = Access<UserID> { request in
        guard request.headers["x-word"] == "friend" else { throw FrameError(.unauthorized, message: "Say the word.") }
        return UserID(7)
    }

    private static let routes = [
        Route(.get, "/v1/things/{thing}", access: .anybody) { request in
            .text("thing \(request.parameter("thing")) \(request.query("q") ?? "")")
        },
        Route(.get, "/v1/things/newest", access: .anybody) { _ in .text("newest") },
        Route(.get, "/v1/things/{thing}.png", access: .anybody, origins: .any) { request in
            .text("picture \(request.parameter("thing"))")
        },
        Route(.delete, "/v1/things/{thing}", access: Self.word) { request, user in
            .text("\(user) deletes \(request.parameter("thing"))")
        },
        Route(.post, "/v1/things", access: Self.word, body: .json(limit: 2000), headers: ["x-word"]) { request, _ in
            .json(["name": try request.json { (fields) throws(FrameError) in try fields.string("name") }], status: 201)
        },
        Route(.put, "/v1/things/{thing}/photo", access: Self.word, body: .sink(limit: 8_000_000)) { request, _ in
            var count = 0
            while let piece = try await request.readBody() { count += piece.count }
            return .text("\(count) bytes")
        },
        Route(.get, "/s/{code}", access: .anybody) { _ in
            throw FrameError(.gone, message: "It is over.")
        },
    ]

    private func problem(_ response: HTTPResponse) throws -> (code: String?, detail: String?) {
        let object = try JSONSerialization.jsonObject(with: Data(response.body)) as? [String: Any]
        return (object?["code"] as? String, object?["detail"] as? String)
    }

    private func header(_ name: String, _ response: HTTPResponse) -> String? {
        response.headers.first { $0.name == name }?.value
    }

    private func text(_ response: HTTPResponse) -> String { String(decoding: response.body, as: UTF8.self) }

    @Test("a request finds the most specific route, with its parameters and query")
    func matching() async {
        let table = self.table(Self.routes)
        #expect(self.text(await self.ask(.get, "/v1/things/81", query: [("q", "x")], of: table)) == "thing 81 x")
        #expect(self.text(await self.ask(.get, "/v1/things/newest", of: table)) == "newest")
        #expect(self.text(await self.ask(.get, "/v1/things/81.png", of: table)) == "picture 81")
        #expect(self.text(await self.ask(.head, "/v1/things/81", of: table)) == "thing 81 ")
    }

    @Test("a path that is nobody's is 404, and a method that it does not take is 405 with Allow")
    func absence() async throws {
        let table = self.table(Self.routes)
        for path in ["/v1/things", "/v1/thing", "/v1/things/81/x", "/", ""] where path != "/v1/things" {
            let response = await self.ask(.get, path, of: table)
            #expect(response.status == 404)
            #expect(try self.problem(response).code == "not_found")
        }
        for (method, path, allow) in [
            (.get, "/v1/things", "POST"), (.post, "/v1/things/81", "GET, HEAD, DELETE"),
            (.options, "/v1/things/81", "GET, HEAD, DELETE"), (.delete, "/v1/things/newest", "GET, HEAD"),
        ] as [(HTTPMethod, String, String)] {
            let response = await self.ask(method, path, of: table)
            #expect(response.status == 405)
            #expect(self.header("allow", response) == allow)
            #expect(try self.problem(response).code == "method_not_allowed")
            #expect(try self.problem(response).detail == "This path allows only \(allow).")
        }
    }

    @Test("who may not is told so before the handler runs, and the handler knows who may")
    func access() async throws {
        let table = self.table(Self.routes)
        let refused = await self.ask(.delete, "/v1/things/81", of: table)
        #expect(refused.status == 401)
        #expect(self.header("www-authenticate", refused) == "Bearer")
        let admitted = await self.ask(.delete, "/v1/things/81", headers: ["X-Word": "friend"], of: table)
        #expect(self.text(admitted) == "7 deletes 81")
        #expect(await self.ask(.post, "/v1/things", body: "{", of: table).status == 401)
    }

    @Test(
        "a body of JSON says that it is JSON",
        arguments: [
            ("application/json", 201), ("Application/JSON; charset=utf-8", 201), ("application/json;", 201),
            (nil, 415), ("", 415), ("text/plain", 415), ("text/plain;application/json", 415),
            ("application/json5", 415),
            ("application/x-www-form-urlencoded", 415), ("multipart/form-data; boundary=x", 415),
            ("application/json, text/plain", 415),
        ] as [(String?, Int)]
    )
    func mediaTypes(type: String?, status: Int) async throws {
        var headers: HTTPHeaders = ["x-word": "friend"]
        headers["content-type"] = type
        let table = self.table(Self.routes)
        let response = await self.ask(.post, "/v1/things", headers: headers, body: #"{"name":"x"}"#, of: table)
        #expect(response.status == status)
        if status == 415 { #expect(try self.problem(response).code == "unsupported_media_type") }
        // Authorization is checked first.
        headers["x-word"] = nil
        #expect(await self.ask(.post, "/v1/things", headers: headers, body: "{", of: table).status == 401)
    }

    @Test(
        "what a page of a foreign origin asks to be changed is refused; what it reads is not",
        arguments: [
            (["origin": "https://muster.example"], 200, 200), (["origin": "https://app.example"], 200, 200),
            (["origin": "https://evil.example"], 403, 200), (["origin": "null"], 403, 200),
            (["origin": "https://muster.example:8443"], 403, 200), (["sec-fetch-site": "cross-site"], 403, 200),
            (["sec-fetch-site": "same-origin"], 200, 200), (["sec-fetch-site": "none"], 200, 200), ([:], 200, 200),
            (["origin": "https://app.example", "sec-fetch-site": "cross-site"], 200, 200),
        ] as [([String: String], Int, Int)]
    )
    func foreignPages(headers: [String: String], changing: Int, reading: Int) async throws {
        let table = self.table(
            Self.routes + [
                Route(.post, "/v1/open", access: .anybody, origins: .any) { _ in
                    .text("open")
                }
            ]
        )
        let sent = HTTPHeaders(
            headers.map { (name: $0.key, value: $0.value) } + [
                (name: "host", value: "muster.example"), (name: "x-word", value: "friend"),
            ]
        )
        let response = await self.ask(.delete, "/v1/things/81", headers: sent, of: table)
        #expect(response.status == changing)
        if changing == 403 { #expect(try self.problem(response).code == "forbidden") }
        #expect(await self.ask(.get, "/v1/things/81", headers: sent, of: table).status == reading)
        #expect(await self.ask(.post, "/v1/open", headers: sent, of: table).status == 200)
    }

    @Test("what a handler throws is a problem document, and a body of the wrong shape names its field")
    func problems() async throws {
        let table = self.table(Self.routes)
        let gone = await self.ask(.get, "/s/abc", of: table)
        #expect(gone.status == 410)
        #expect(self.header("content-type", gone) == "application/problem+json")
        #expect(try self.problem(gone).code == "gone")
        for (body, code) in [("{", "bad_json"), ("[]", "bad_request"), (#"{"name":7}"#, "bad_request")] {
            let headers: HTTPHeaders = ["x-word": "friend", "content-type": "application/json"]
            let response = await self.ask(.post, "/v1/things", headers: headers, body: body, of: table)
            #expect(response.status == 400)
            #expect(try self.problem(response).code == code)
        }
        let json: HTTPHeaders = ["x-word": "friend", "content-type": "application/json"]
        let made = await self.ask(.post, "/v1/things", headers: json, body: #"{"name":"a"}"#, of: table)
        #expect(made.status == 201)
        #expect(self.text(made) == #"{"name":"a"}"#)
    }

    @Test("pages of named origins may ask and read; of others only what is for all")
    func origins() async {
        let table = self.table(Self.routes)
        func preflight(_ path: String, _ origin: String) async -> HTTPResponse {
            await self.ask(.options, path, headers: ["Origin": origin], of: table)
        }
        let named = await preflight("/v1/things", "https://APP.example")
        #expect(named.status == 204)
        #expect(self.header("access-control-allow-methods", named) == "POST")
        #expect(self.header("access-control-allow-headers", named) == "authorization, content-type, x-word")
        #expect(self.header("access-control-allow-origin", named) == "https://APP.example")
        #expect(self.header("vary", named) == "origin")
        #expect(
            self.header("access-control-allow-methods", await preflight("/v1/things/81", "https://app.example"))
                == "GET, DELETE"
        )
        #expect(await preflight("/v1/things", "https://other.example").status == 405)
        #expect(await preflight("/v1/nothing", "https://app.example").status == 404)
        let open = await preflight("/v1/things/81.png", "https://other.example")
        #expect(open.status == 204)
        #expect(self.header("access-control-allow-origin", open) == "*")

        for (path, origin, allowed) in [
            ("/v1/things/81", "https://app.example", "https://app.example"),
            ("/v1/things/81", "https://other.example", nil),
            ("/v1/things/81.png", "https://other.example", "*"),
            ("/v1/nothing", "https://app.example", "https://app.example"),
            ("/s/x", "https://app.example", "https://app.example"), ("/s/x", "https://other.example", nil),
        ] as [(String, String, String?)] {
            let response = await self.ask(.get, path, headers: ["origin": origin], of: table)
            #expect(self.header("access-control-allow-origin", response) == allowed, "\(path) \(origin)")
        }
    }

    @Test(
        "the gateway learns from the table how bodies are received, which paths are files, and which headers are read"
    )
    func gateway() {
        let table = self.table(Self.routes)
        #expect(table.bodyReception(.post, "/v1/things") == .whole(limit: 2000))
        #expect(table.bodyReception(.put, "/v1/things/81/photo") == .stream(limit: 8_000_000))
        #expect(table.bodyReception(.get, "/v1/things/81") == nil)
        #expect(table.bodyReception(.put, "/v1/things") == nil)
        #expect(table.bodyReception(.post, "/elsewhere") == nil)
        #expect(table.paths == ["/s/", "/v1/", "/v1/things", "/v1/things/", "/v1/things/newest"])
        #expect(table.headers == ["sec-fetch-site", "x-word"])
    }

    @Test("a handler reads a body as it comes, and a body that breaks off is an error")
    func sink() async throws {
        let table = self.table(Self.routes)
        for (ending, status) in [(nil, 200), (.tooLarge, 413), (.incomplete, 400)] as [(RequestBody.Failure?, Int)] {
            let body = RequestBody {}
            for _ in 0..<3 { _ = [UInt8](repeating: 1, count: 1000).withUnsafeBytes { body.append($0) } }
            if let ending { body.fail(ending) } else { body.finish() }
            let response = await table.respond(
                to: HTTPRequest(
                    id: RequestID(rawValue: 1),
                    method: .put,
                    path: "/v1/things/81/photo",
                    headers: ["x-word": "friend"],
                    stream: body
                )
            )
            #expect(response.status == status)
            if ending == nil { #expect(self.text(response) == "3000 bytes") }
        }
    }

    @Test("answers are counted by pattern, and by nothing that a client chose")
    func counting() async {
        let table = self.table(Self.routes)
        for path in ["/v1/things/81", "/v1/things/82", "/v1/secret-path", "/v1/other"] {
            _ = await self.ask(.get, path, of: table)
        }
        _ = await self.ask(.delete, "/v1/things/81", of: table)
        let counts = self.statistics.counts
        #expect(
            counts.answers == [
                HTTPStatistics.Answer(route: "/v1/things/{thing}", method: .get, status: 200): 2,
                HTTPStatistics.Answer(route: "/v1/things/{thing}", method: .delete, status: 401): 1,
                HTTPStatistics.Answer(route: "(unknown)", method: .get, status: 404): 2,
            ]
        )
        #expect(counts.seconds["/v1/things/{thing}"]?.count == 3)
    }
}
