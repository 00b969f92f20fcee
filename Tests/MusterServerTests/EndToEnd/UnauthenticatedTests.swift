import Foundation
import MusterTestSupport
import MusterWire
import Testing

@Suite("Who is not logged in", .blocking)
struct UnauthenticatedTests {
    /// An operation of the contract that requires a token; of the tile layers, those of groups do.
    private struct Operation {
        let method: String
        let path: String
    }

    private static func operations() throws -> [Operation] {
        let file = MusterProcess.checkout.appending(path: "public/openapi.json")
        let document = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]
        let paths = document?["paths"] as? [String: [String: Any]] ?? [:]
        return paths.sorted { $0.key < $1.key }.flatMap { (path, methods) -> [Operation] in
            methods.sorted { $0.key < $1.key }.compactMap { (method, operation) -> Operation? in
                let security = (operation as? [String: Any])?["security"] as? [[String: Any]] ?? []
                guard security.contains(where: { $0["token"] != nil }) else { return nil }
                return Operation(method: method.uppercased(), path: path)
            }
        }
    }

    @Test("is told so before anything of what they send is looked at, at every route that needs a login")
    func everyRoute() async throws {
        try await ServerFixture.open { fixture in
            let operations = try Self.operations()
            #expect(operations.count >= 20)
            for operation in operations {
                // Invalid ids, an invalid query and an invalid body.
                let path = operation.path.replacing(/\{layer\}/, with: "group:81").replacing(
                    /\{[^}]*\}/,
                    with: "nonsense"
                )
                let tries: [(query: String, body: String?)] = [
                    ("", nil), ("?device=&limit=many&after=x&lat=91&use=hat&q=", nil), ("", "{"), ("", "[]"),
                    ("", #"{"fixes":7}"#),
                    ("?device=\(String(repeating: "k", count: 65))", #"{"fixes":[{"seq":0}]}"#),
                ]
                for attempt in tries where attempt.body == nil || operation.method != "GET" {
                    for token in [nil, "not-a-token"] {
                        let reply = try fixture.http(
                            operation.method,
                            path + attempt.query,
                            token: token,
                            rawBody: attempt.body
                        )
                        #expect(
                            reply.status == 401,
                            "\(operation.method) \(path)\(attempt.query) \(attempt.body ?? "")"
                        )
                    }
                }
            }
        }
    }
}
