import Foundation
import MusterTestSupport
import Testing

@testable import Imaging
@testable import MusterClient
@testable import MusterServer
@testable import MusterWire

@Suite("The map of streets", .blocking)
struct MapTests {
    private static let monaco = MusterProcess.checkout.appending(path: "scripts/demo/monaco.osm.pbf").path

    /// A data folder that PostgreSQL's account may enter.
    private final class DataFolder {
        let path = "/tmp/muster-map-\(UUID().uuidString.prefix(12))"

        init() throws {
            try FileManager.default.createDirectory(
                atPath: self.path,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o755]
            )
        }

        deinit { try? FileManager.default.removeItem(atPath: self.path) }

        /// Runs `muster import map`.
        func importMap(_ arguments: String...) throws -> (status: Int32, output: String, log: String) {
            try MusterProcess.run(["import", "map"] + arguments + ["--data-dir", self.path])
        }
    }

    private static func get(
        _ fixture: ServerFixture,
        _ path: String,
        _ headers: [(name: String, value: String)] = []
    ) throws -> HTTPAnswer {
        try BlockingHTTP(port: fixture.server.port).request("GET", path, headers: headers, body: nil, timeout: 15_000)
    }

    /// Makes the server look at the map folder, and returns the version that it shows then.
    private static func reload(_ fixture: ServerFixture, until holds: (String?) -> Bool) throws -> String? {
        kill(fixture.server.processIdentifier, SIGHUP)
        var version: String?
        #expect(
            try eventually {
                version = try fixture.http("GET", "/v1/map").json?["version"].string
                return holds(version)
            }
        )
        return version
    }

    @Test("a server without a map says so once, and shows an imported one without a restart")
    func serving() async throws {
        let folder = try DataFolder()
        try await ServerFixture.open(["--data-dir", folder.path]) { fixture in
            #expect(fixture.server.logLines.count { $0.contains("muster import map") } == 1)
            let none = try fixture.http("GET", "/v1/map")
            #expect(none.status == 200)
            #expect(none.json?["tiles"].elements.isEmpty == true)
            #expect(try fixture.http("GET", "/v1/map/x/0/0/0.mvt").status == 404)

            let made = try folder.importMap(Self.monaco)
            #expect(made.status == 0, "\(made.log)")
            #expect(made.output.contains("monaco: wrote"))
            #expect(made.log.contains("reading"))
            let version = try #require(try Self.reload(fixture) { $0 != nil })
            let map = try #require(try fixture.http("GET", "/v1/map").json)
            #expect(map["tiles"].elements.first?.string == "/v1/map/\(version)/{z}/{x}/{y}.mvt")
            #expect(map["attribution"].string?.contains("OpenStreetMap contributors") == true)
            #expect(map["parts"].elements.first?["name"].string == "monaco")
            #expect(map["bounds"].elements.count == 4)
            #expect(map["raster"].isAbsent)

            let path = "/v1/map/\(version)/14/8529/5974.mvt"
            let tile = try Self.get(fixture, path, [("Accept-Encoding", "gzip")])
            #expect(tile.status == 200)
            #expect(tile.headers["content-encoding"] == "gzip")
            #expect(tile.headers["content-type"] == "application/vnd.mapbox-vector-tile")
            #expect(tile.headers["cache-control"] == "public, max-age=31536000, immutable")
            let plain = try Self.get(fixture, path)
            #expect(plain.headers["content-encoding"] == nil)
            #expect(plain.body.count > tile.body.count)
            let tag = try #require(tile.headers["etag"])
            let again = try Self.get(fixture, path, [("Accept-Encoding", "gzip"), ("If-None-Match", tag)])
            #expect(again.status == 304)
            #expect(try Self.get(fixture, "/v1/map/\(version)/14/0/0.mvt").status == 204)
            let other = try Self.get(fixture, "/v1/map/older/14/8529/5974.mvt")
            #expect(other.status == 307)
            #expect(other.headers["location"] == path)
            for bad in ["14/16384/0", "99/0/0", "a/0/0"] {
                #expect(try fixture.http("GET", "/v1/map/\(version)/\(bad).mvt").status == 404)
            }

            // Two parts that overlap: the layers of both in one tile.
            let copy = try folder.importMap("\(folder.path)/map/monaco.pmtiles", "--name", "twin")
            #expect(copy.status == 0, "\(copy.log)")
            let twice = try #require(try Self.reload(fixture) { $0 != version })
            let joined = try Self.get(fixture, "/v1/map/\(twice)/14/8529/5974.mvt")
            #expect(joined.body == plain.body + plain.body)
            let list = try folder.importMap("--list")
            #expect(list.output.split(separator: "\n").map { $0.prefix { $0 != " " } } == ["monaco", "twin"])
            #expect(try folder.importMap("--remove", "monaco").status == 0)
            #expect(try folder.importMap("--remove", "twin").status == 0)
            #expect(try Self.reload(fixture) { $0 == nil } == nil)
            #expect(!fixture.server.log.contains("14/8529"))
        }
    }

    @Test("an update while tiles are read loses no request")
    func update() async throws {
        let folder = try DataFolder()
        #expect(try folder.importMap(Self.monaco).status == 0)
        let original = "\(folder.path)/original.pmtiles"
        try FileManager.default.copyItem(atPath: "\(folder.path)/map/monaco.pmtiles", toPath: original)
        try await ServerFixture.open(["--data-dir", folder.path]) { fixture in
            let http = try BlockingHTTP(port: fixture.server.port)
            var versions: Set<String> = []
            for round in 0..<200 {
                if round % 20 == 10 {
                    // Another name is another version.
                    let name = "part\(round)"
                    #expect(try folder.importMap(original, "--name", name).status == 0)
                    kill(fixture.server.processIdentifier, SIGHUP)
                }
                let map = try http.request("GET", "/v1/map", headers: [], body: nil, timeout: 15_000)
                let version = try #require(try Frame(map.body)["version"].string)
                versions.insert(version)
                for tile in ["14/8529/5974", "15/17058/11949", "13/4264/2987"] {
                    let answer = try http.request(
                        "GET",
                        "/v1/map/\(version)/\(tile).mvt",
                        headers: [("Accept-Encoding", "gzip")],
                        body: nil,
                        timeout: 15_000
                    )
                    #expect([200, 204, 307].contains(answer.status))
                }
            }
            #expect(versions.count > 1)
        }
    }

    @Test("an import that is killed leaves the old map, its database ends, and the next import tidies up")
    func killed() throws {
        let folder = try DataFolder()
        #expect(try folder.importMap(Self.monaco).status == 0)
        let file = URL(filePath: "\(folder.path)/map/monaco.pmtiles")
        let old = try Data(contentsOf: file)
        let record = "\(folder.path)/map/scratch/data/postmaster.pid"
        for step in ["data/postmaster.pid", "data/PG_VERSION", "socket/.s.PGSQL.5432"] {
            let run = try MusterProcess(["import", "map", Self.monaco, "--data-dir", folder.path])
            let path = "\(folder.path)/map/scratch/\(step)"
            #expect(eventually { FileManager.default.fileExists(atPath: path) || !run.isRunning })
            let server = (try? String(contentsOfFile: record, encoding: .utf8))?.split(separator: "\n").first
            run.kill()
            if let server = server.flatMap({ Int32($0) }) {
                #expect(eventually(within: 30_000) { kill(server, 0) != 0 }, "the database of a killed import runs on")
            }
            #expect(try Data(contentsOf: file) == old)
        }
        let last = try folder.importMap(Self.monaco)
        #expect(last.status == 0, "\(last.log)")
        let files = try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/map")
        #expect(Set(files) == ["monaco.pmtiles", "lock"])
    }

    @Test("imports that are killed at any moment leave a whole map")
    func killedOften() async throws {
        let folder = try DataFolder()
        let clock = ContinuousClock()
        let start = clock.now
        #expect(try folder.importMap(Self.monaco).status == 0)
        // As long as an import takes here.
        let whole = clock.now - start
        let file = URL(filePath: "\(folder.path)/map/monaco.pmtiles")
        var map = try Data(contentsOf: file)
        var generator = SystemRandomNumberGenerator()
        var (kills, finished) = (0, 0)
        // On a busy machine an import takes long, and some kills are enough.
        while kills < 20, kills < 5 || clock.now - start < .seconds(120) {
            let run = try MusterProcess(["import", "map", Self.monaco, "--data-dir", folder.path])
            let moment = whole * Double.random(in: 0..<0.9, using: &generator)
            try await Task.sleep(for: moment)
            run.kill()
            kills += 1
            let now = try Data(contentsOf: file)
            guard now != map else { continue }
            // The import was faster than the first one.
            try PMTilesCheck(try PMTilesReader(path: file.path)).run()
            map = now
            finished += 1
        }
        #expect(finished < kills)
        let last = try folder.importMap(Self.monaco)
        #expect(last.status == 0, "\(last.log)")
        try PMTilesCheck(try PMTilesReader(path: file.path)).run()
        let files = try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/map")
        #expect(Set(files) == ["monaco.pmtiles", "lock"])
    }

    /// Whether this account may mount a disk of its own.
    private static let canMount =
        (try? Tool.run("/usr/bin/unshare", ["--mount", "mount", "-t", "tmpfs", "none", "/mnt"]))?.status == 0

    @Test(
        "a disk that becomes full while a map is imported is named, and the old map stays",
        .enabled(if: MapTests.canMount, "only the superuser may mount a small disk"),
        arguments: ["scratch/data/PG_VERSION", "scratch/socket/.s.PGSQL.5432"]
    )
    func fullDisk(step: String) throws {
        let folder = try DataFolder()
        let script = """
            set -e
            mount -t tmpfs -o size=160M,mode=755 none "$1"
            mkdir "$1/map"
            echo old >"$1/map/monaco.pmtiles"
            "$2" import map "$3" --data-dir "$1" --sql-dir "$5" 2>"$1.log" & run=$!
            while [ ! -e "$1/map/$4" ] && kill -0 $run; do sleep 0.02; done
            cat /dev/zero >"$1/filler" 2>/dev/null || true
            if wait $run; then echo "the import ended"; fi
            cat "$1.log"; rm "$1.log" "$1/filler"
            echo "files:" $(ls "$1/map") $(cat "$1/map/monaco.pmtiles")
            """
        let program = MusterProcess.executable.path
        let sql = MusterProcess.checkout.appending(path: "sql").path
        let run = try Tool.run(
            "/usr/bin/unshare",
            ["--mount", "sh", "-c", script, "sh", folder.path, program, Self.monaco, step, sql]
        )
        #expect(run.output.contains("free space, or choose another --data-dir"), "\(run.output)")
        #expect(run.output.contains("files: lock monaco.pmtiles old"), "\(run.output)")
        #expect(run.status == 0)
    }

    @Test("a share picture shows the streets around its people, and leaves out what is damaged")
    func sharePicture() async throws {
        let folder = try DataFolder()
        try await ServerFixture.open(["--data-dir", folder.path]) { fixture in
            #expect(PictureMaker.start())
            let ada = try fixture.enter(try fixture.signUp("Ada"))
            let group = try ada.createGroup()
            // In the harbour.
            try ada.sendFix(43.7342, 7.4262)
            try ada.waitForAck()
            func colour() throws -> UInt32 {
                let picture = try fixture.file(try fixture.picture(of: group, by: ada.account).image)
                return try picture.body.withUnsafeBytes { bytes in
                    // Beside the badge and its label.
                    try DecodedImage(decoding: bytes, side: 1200, fit: .within).color(x: 640, y: 190)
                        .reduce(0) { $0 << 8 | UInt32($1) }
                }
            }
            #expect(try colour() == ShareDrawing.Ink.land)
            #expect(try folder.importMap(Self.monaco).status == 0)
            let version = try Self.reload(fixture) { $0 != nil }
            #expect(try colour() == ShareDrawing.faded(.water))

            let path = "\(folder.path)/map/monaco.pmtiles"
            let file = try #require(FileHandle(forUpdatingAtPath: path))
            let size = try file.seekToEnd()
            // The tiles are behind the header and the directory, and before the metadata.
            try file.seek(toOffset: 20_000)
            try file.write(contentsOf: Data(repeating: 0x55, count: Int(size) - 24_000))
            try file.close()
            #expect(try Self.reload(fixture) { $0 != nil } == version)
            for _ in 0..<2 { #expect(try colour() == ShareDrawing.Ink.land) }
            #expect(fixture.server.logLines.count { $0.contains("drawn without a tile of the map") } == 1)
        }
    }

    @Test("raster tiles of another host are named only with their option")
    func raster() async throws {
        let template = "https://tile.example/{z}/{x}/{y}.png"
        try await ServerFixture.open(["--raster-tiles", template, "--raster-attribution", "© Example"]) { fixture in
            let map = try #require(try fixture.http("GET", "/v1/map").json)
            #expect(map["raster"]["url"].string == template)
            #expect(map["raster"]["attribution"].string == "© Example")
            let policy = try fixture.http("GET", "/healthz").headers["content-security-policy"] ?? ""
            #expect(policy.contains("img-src 'self' data: https://tile.example;"))
        }
        try await ServerFixture.open { fixture in
            let policy = try fixture.http("GET", "/healthz").headers["content-security-policy"] ?? ""
            #expect(policy.contains("img-src 'self' data:;"))
            #expect(policy.contains("worker-src 'self'"))
        }
    }
}
