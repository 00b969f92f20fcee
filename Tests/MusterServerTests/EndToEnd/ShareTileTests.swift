import EventLoop
import Foundation
import MusterTestSupport
import Testing

@testable import Imaging
@testable import MusterClient
@testable import MusterWire

@Suite("Share pictures on map tiles", .blocking)
struct ShareTileTests {
    private let server = TileServer()

    /// The colour of a share picture at a point without badges.
    private func colour(of share: CreatedShare, _ fixture: ServerFixture) throws -> [UInt8] {
        let image = try fixture.file(share.image)
        #expect(image.status == 200)
        return try image.body.withUnsafeBytes { bytes in
            try DecodedImage(decoding: bytes, side: 1200, fit: .within).color(x: 640, y: 190)
        }
    }

    /// A user with a position, in their own group.
    private static func place(
        _ fixture: ServerFixture,
        _ name: String,
        _ latitude: Double
    ) throws -> (TestClient, String) {
        let person = try fixture.enter(try fixture.signUp(name))
        let group = try person.createGroup()
        try person.sendFix(latitude, 16.37)
        try person.waitForAck()
        return (person, group)
    }

    @Test(
        "have the tiles beneath everybody; without them, and while their server hangs, a picture is made all the same"
    )
    func story() async throws {
        let options = [
            "--share-tiles", try self.server.template, "--share-tiles-attribution", "© Somebody", "--provider-timeout",
            "3000",
        ]
        try await ServerFixture.open(options) { fixture in
            #expect(PictureMaker.start())
            let (ada, group) = try Self.place(fixture, "Ada", 48.2)
            // Four fifths of the tiles' colour, and white.
            let faded = TileServer.colour.map { Int((255 + (Double($0) - 255) * 0.8).rounded()) }
            func isTile(_ colour: [UInt8]) -> Bool { zip(colour, faded).allSatisfy { abs(Int($0) - $1) <= 2 } }
            // On a busy machine a tile may arrive too late for the first picture.
            var (heard, pictures, colour) = (-1, 0, [UInt8]())
            repeat {
                heard = try self.server.heard().count
                colour = try self.colour(of: try fixture.picture(of: group, by: ada.account), fixture)
                pictures += 1
            } while try self.server.heard().count > heard && pictures < 5
            #expect(isTile(colour), "\(colour)")
            // The last picture sent no request.
            #expect(try self.server.heard().count == heard && heard > 0)
            #expect((1...12).contains(Set(try self.server.heard().map(\.path)).count))
            for request in try self.server.heard() {
                #expect(!request.path.contains("16.37"))
                #expect(request.headers["referer"] == nil && request.headers["cookie"] == nil)
                #expect(request.headers["user-agent"]?.hasPrefix("Muster/") == true)
            }

            // Elsewhere there are no tiles; then truncated files, which only the imaging child detects.
            for (name, latitude, mode) in [("Bo", 49.2, "absent"), ("Cem", 50.2, "half")] {
                try self.server.answer(mode)
                let (person, group) = try Self.place(fixture, name, latitude)
                let colour = try self.colour(of: try fixture.picture(of: group, by: person.account), fixture)
                #expect(colour == [0xF3, 0xF0, 0xE7], "\(mode): \(colour)")
            }
            try self.server.answer("hang")
            let (dee, last) = try Self.place(fixture, "Dee", 51.2)
            let start = MonotonicClock.system.milliseconds
            let plain = try self.colour(of: try fixture.picture(of: last, by: dee.account), fixture)
            let took = MonotonicClock.system.milliseconds - start
            #expect(plain == [0xF3, 0xF0, 0xE7], "\(plain)")
            #expect((2_900..<10_000).contains(took), "\(took) ms")
            let metrics = try fixture.http("GET", "/metrics").text
            for result in ["kept", "fetched", "absent", "failed"] {
                #expect(metrics.contains("\nmuster_share_tiles_total{result=\"\(result)\"} "))
                #expect(!metrics.contains("\nmuster_share_tiles_total{result=\"\(result)\"} 0\n"), "\(result)")
            }
            #expect(metrics.contains(#"muster_provider_seconds_count{provider="tiles",outcome="ok"}"#))
            #expect(metrics.contains("\nmuster_imaging_refused_total{operation=\"share\",reason=\"deadly\"} 0\n"))
        }
    }

    @Test("need a template with a host, and whom the tiles are owed to")
    func options() throws {
        let template = "https://tile.example.org/{z}/{x}/{y}.png"
        for (url, attribution, word) in [
            ("https://a.example/{z}/{x}.png", "© A", "--share-tiles "),
            ("a.example/{z}/{x}/{y}", "© A", "--share-tiles "),
            ("ftp://a.example/{z}/{x}/{y}.png", "© A", "--share-tiles "),
            ("https://user:word@a.example/{z}/{x}/{y}.png", "© A", "--share-tiles "),
            ("https://{s}.a.example/{z}/{x}/{y}.png", "© A", "--share-tiles "),
            (template, "", "--share-tiles-attribution"),
            (template, " ", "--share-tiles-attribution"), (template, "a\nb", "--share-tiles-attribution"),
            (template, String(repeating: "x", count: 101), "--share-tiles-attribution"),
        ] {
            let options = ["--share-tiles", url, "--share-tiles-attribution", attribution]
            let run = try MusterProcess.run(["serve", "--listen", "127.0.0.1:0"] + options)
            #expect(run.status == 2, "\(options)")
            #expect(run.log.contains(word), "\(run.log)")
        }
        let help = try MusterProcess.run(["serve", "--help"])
        #expect(help.output.contains("--share-tiles URL") && help.output.contains("--share-tiles-attribution TEXT"))
    }
}
