import Foundation
import Testing

@testable import MusterClient
@testable import WebSocketGateway

@Suite("Static files", .serialized)
struct StaticFileTests {
    private static func serve(
        _ folder: borrowing TemporaryFolder,
        _ library: borrowing TemporaryFolder
    ) throws -> GatewayHarness {
        try folder.write("<!doctype html>", to: "index.html")
        try folder.write("export {}", to: "muster.js")
        try folder.write("{}", to: "land.geojson")
        try folder.write("secret", to: ".hidden")
        try folder.write("nested", to: "a/b/c.css")
        try library.write("leaflet", to: "leaflet.js")
        let mounts = [
            StaticMount(prefix: "/", directory: folder.path),
            StaticMount(prefix: "/vendor/leaflet/", directory: library.path, cacheControl: "max-age=3600"),
        ]
        return try GatewayHarness {
            $0.staticMounts = mounts
            $0.responseHeaders = [("content-security-policy", "default-src 'self'")]
        }
    }

    @Test(
        "each file has its type and content",
        arguments: [
            ("/", "text/html; charset=utf-8", "<!doctype html>"),
            ("/index.html", "text/html; charset=utf-8", "<!doctype html>"),
            ("/muster.js", "text/javascript; charset=utf-8", "export {}"),
            ("/muster.js?v=2", "text/javascript; charset=utf-8", "export {}"),
            ("/land.geojson", "application/geo+json", "{}"),
            ("/a/b/c.css", "text/css; charset=utf-8", "nested"),
            ("/vendor/leaflet/leaflet.js", "text/javascript; charset=utf-8", "leaflet"),
        ]
    )
    func types(path: String, type: String, content: String) throws {
        let folder = try TemporaryFolder()
        let library = try TemporaryFolder()
        let harness = try Self.serve(folder, library)
        let answer = try BlockingHTTP(port: harness.port).request("GET", path)
        #expect(answer.status == 200)
        #expect(answer.headers["content-type"] == type)
        #expect(answer.headers["content-security-policy"] == "default-src 'self'")
        #expect(String(decoding: answer.body, as: UTF8.self) == content)
    }

    @Test("a file that the client has is not sent again, and HEAD sends no file")
    func conditional() throws {
        let folder = try TemporaryFolder()
        let library = try TemporaryFolder()
        let harness = try Self.serve(folder, library)
        let client = try BlockingHTTP(port: harness.port)
        let first = try client.request("GET", "/muster.js")
        let tag = try #require(first.headers["etag"])
        let again = try client.request("GET", "/muster.js", headers: [("If-None-Match", "\"x\", \(tag)")])
        #expect(again.status == 304)
        #expect(again.headers["etag"] == tag)
        #expect(try client.request("GET", "/land.geojson", headers: [("If-None-Match", tag)]).status == 200)
        let head = try client.request("HEAD", "/muster.js")
        #expect(head.status == 200)
        #expect(head.headers["content-length"] == "9")
        // The connection remains usable after answers without a body.
        #expect(try client.request("GET", "/muster.js").body == first.body)
    }

    @Test("a file goes out in gzip to who takes it, with a tag of its own")
    func gzip() throws {
        let folder = try TemporaryFolder()
        let library = try TemporaryFolder()
        let text = String(repeating: "export const answer = 42;\n", count: 100)
        try folder.write(text, to: "long.js")
        let harness = try Self.serve(folder, library)
        let client = try BlockingHTTP(port: harness.port)
        let plain = try client.request("GET", "/long.js")
        #expect(plain.headers["content-encoding"] == nil)
        #expect(plain.headers["vary"] == "accept-encoding")
        #expect(String(decoding: plain.body, as: UTF8.self) == text)
        let packed = try client.request("GET", "/long.js", headers: [("Accept-Encoding", "br, gzip;q=0.5")])
        #expect(packed.headers["content-encoding"] == "gzip")
        #expect(packed.headers["vary"] == "accept-encoding")
        #expect(packed.body.count < text.utf8.count / 10)
        #expect(packed.body.prefix(2).elementsEqual([0x1F, 0x8B]))
        let tag = try #require(packed.headers["etag"])
        #expect(tag != plain.headers["etag"])
        let again = [("Accept-Encoding", "gzip"), ("If-None-Match", tag)]
        #expect(try client.request("GET", "/long.js", headers: again).status == 304)
        #expect(try client.request("GET", "/long.js", headers: [("If-None-Match", tag)]).status == 200)
        // Compression is refused, not named, or not worthwhile for a short file.
        for refusal in ["gzip;q=0, identity", "br", "identity"] {
            let answer = try client.request("GET", "/long.js", headers: [("Accept-Encoding", refusal)])
            #expect(answer.headers["content-encoding"] == nil)
        }
        let short = try client.request("GET", "/muster.js", headers: [("Accept-Encoding", "gzip")])
        #expect(short.headers["content-encoding"] == nil)
        #expect(short.headers["vary"] == nil)
    }

    @Test("a later mount covers files of an earlier one, and the listing names all files and changes with any")
    func listing() throws {
        let folder = try TemporaryFolder()
        let cover = try TemporaryFolder()
        try folder.write("plain", to: "index.html")
        try folder.write("onfetch = null;", to: "sw.js")
        try cover.write("bundled", to: "index.html")
        func files() -> StaticFiles {
            StaticFiles(
                mounts: [
                    StaticMount(prefix: "/", directory: folder.path), StaticMount(prefix: "/", directory: cover.path),
                ],
                listing: "/sw.js"
            )
        }
        func script(_ files: StaticFiles) -> (listing: Substring, rest: Substring) {
            let body = files.answer(path: "/sw.js", ifNoneMatch: nil).body
            let lines = String(decoding: body, as: UTF8.self).split(separator: "\n", maxSplits: 1)
            return (lines[0], lines[1])
        }
        let first = files()
        let page = first.answer(path: "/", ifNoneMatch: nil)
        #expect(String(decoding: page.body, as: UTF8.self) == "bundled")
        let tag = try #require(page.headers.first { $0.name == "etag" }?.value)
        let quoted = tag.replacing("\"", with: "\\\"")
        #expect(script(first).listing.hasSuffix("\"files\":{\"/index.html\":\"\(quoted)\"}};"))
        #expect(script(first).rest == "onfetch = null;")
        #expect(script(files()) == script(first))
        try cover.write("bundled anew", to: "index.html")
        let versions = [first, files()].map { script($0).listing.prefix { $0 != "," } }
        #expect(versions[0] != versions[1] && versions.allSatisfy { $0.hasPrefix(#"const PAGE = {"version":""#) })
    }

    @Test(
        "no path leads out of the folder or to a hidden file",
        arguments: [
            "/../../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/a/../../etc/passwd", "/..%2f..%2fetc/passwd",
            "/.hidden", "/%2ehidden", "//etc/passwd", "/vendor/leaflet/../../.hidden", "/nothing",
        ]
    )
    func escape(_ path: String) throws {
        let folder = try TemporaryFolder()
        let library = try TemporaryFolder()
        let harness = try Self.serve(folder, library)
        let status = (try? BlockingHTTP(port: harness.port).request("GET", path).status) ?? 0
        // 0: libwebsockets closes the connection for some of them.
        #expect([0, 400, 403, 404].contains(status))
    }
}
