import Testing
import WebSocketGateway

@testable import MusterServer

@Suite struct APIEndpointTests {
    @Test(
        "a path names what it says, and nothing else does",
        arguments: [
            ("/healthz", .health),
            ("/v1/sessions/current", .currentSession),
            ("/v1/invites/a-b_c", .invite(code: "a-b_c")),
            ("/v1/groups/81/gatherings", .gatherings(group: "81")),
            ("/v1/groups/81", nil),
            ("/v1/me/", nil),
            ("/v1/sessions/other", nil),
            ("/v2/me", nil),
            ("", nil),
        ] as [(String, APIEndpoint?)]
    )
    func paths(path: String, endpoint: APIEndpoint?) {
        #expect(APIEndpoint(path: path) == endpoint)
    }

    @Test("whoever may GET may HEAD")
    func head() {
        for path in ["/healthz", "/readyz", "/metrics", "/v1/me", "/v1/invites/x", "/v1/groups/1/gatherings"] {
            #expect(APIEndpoint(path: path)?.methods.starts(with: [.get, .head]) == true)
        }
        #expect(APIEndpoint(path: "/v1/accounts")?.methods == [.post])
    }
}
