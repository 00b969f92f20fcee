import Testing

@testable import MusterServer

@Suite struct RoutePatternTests {
    @Test(
        "a path fits a pattern part by part",
        arguments: [
            ("/healthz", "/healthz", [:]),
            ("/v1/invites/{code}", "/v1/invites/a-b_c", ["code": "a-b_c"]),
            ("/v1/groups/{group}/gatherings", "/v1/groups/81/gatherings", ["group": "81"]),
            (
                "/v1/tiles/{layer}/{z}/{x}/{y}.mvt", "/v1/tiles/spots/12/1205/1539.mvt",
                ["layer": "spots", "z": "12", "x": "1205", "y": "1539"]
            ),
            ("/s/{code}.png", "/s/abc.png", ["code": "abc"]),
            ("/", "/", [:]),
            ("/v1/invites/{code}", "/v1/invites/", nil),
            ("/v1/invites/{code}", "/v1/invites/a/b", nil),
            ("/v1/invites/{code}", "/v1/invites", nil),
            ("/s/{code}.png", "/s/.png", nil),
            ("/s/{code}.png", "/s/abc.jpg", nil),
            ("/v1/me", "/v1/me/", nil),
            ("/v1/me", "/v2/me", nil),
            ("/v1/me", "", nil),
            ("/v1/me", "//v1/me", nil),
        ] as [(String, String, [String: String]?)]
    )
    func matching(pattern: String, path: String, parameters: [String: String]?) {
        #expect(RoutePattern(pattern).match(RoutePattern.split(path)) == parameters)
    }

    @Test("the gateway leaves what begins like a pattern to the application")
    func stems() {
        #expect(RoutePattern("/healthz").stem == "/healthz")
        #expect(RoutePattern("/s/{code}.png").stem == "/s/")
        #expect(RoutePattern("/v1/groups/{group}/gatherings").stem == "/v1/groups/")
        #expect(RoutePattern("/v1/tiles/{layer}/{z}/{x}/{y}.mvt").parameters == ["layer", "z", "x", "y"])
    }
}
