import Foundation
import MusterTestSupport
import Testing

@testable import MusterClient
@testable import MusterWire

@Suite("Photos", .blocking)
struct PhotoTests {
    @Test("a photo is served to whoever has its address, for ever the same, and to nobody else")
    func upload() async throws {
        try await ServerFixture.open(["--log-level", "debug"]) { fixture in
            let ada = try fixture.signUp("Ada")
            let reply = try fixture.upload(SamplePicture.png(2000, 1000), by: ada)
            #expect(reply.status == 201)
            let photo = try #require(reply.json)
            #expect(photo["width"].int == 1600)
            #expect(photo["height"].int == 800)
            let id = try #require(photo["id"].string)
            let url = try #require(photo["url"].string)
            let thumb = try #require(photo["thumb"].string)
            #expect(url.wholeMatch(of: /\/v1\/photos\/[0-9]+\?k=[0-9a-f]{32}/) != nil, "\(url)")
            #expect(thumb.wholeMatch(of: /\/v1\/photos\/[0-9]+\/thumb\?k=[0-9a-f]{32}/) != nil, "\(thumb)")
            var sizes: [Int] = []
            for address in [url, thumb] {
                let file = try fixture.file(address)
                #expect(file.status == 200)
                #expect(file.headers["content-type"] == "image/jpeg")
                #expect(file.headers["cache-control"] == "public, max-age=31536000, immutable")
                #expect(file.headers["x-content-type-options"] == "nosniff")
                #expect(file.body.starts(with: [0xFF, 0xD8, 0xFF]))
                let tag = try #require(file.headers["etag"])
                #expect(try fixture.file(address, headers: [("If-None-Match", tag)]).status == 304)
                let head = try fixture.file(address, method: "HEAD")
                #expect(head.status == 200)
                #expect(head.headers["content-length"] == "\(file.body.count)")
                sizes.append(file.body.count)
            }
            #expect(sizes[1] < sizes[0])

            let key = String(url.suffix(32))
            let other = try #require(try fixture.upload(SamplePicture.png(9, 9), by: ada).json?["url"].string)
            for address in [
                "\(id)", "\(id)/thumb", "\(id)?k=", "\(id)?k=\(other.suffix(32))", "\(id)?k=\(key.dropLast())",
                "\(id)?k=\(key.uppercased())A", "1?k=\(key)", "x?k=\(key)", "\(id)/large?k=\(key)",
            ] {
                let file = try fixture.file("/v1/photos/\(address)")
                #expect(file.status == 404, "\(address)")
                #expect(file.headers["cache-control"] == "no-store", "\(address)")
            }
            #expect(!fixture.server.log.contains(key))
            #expect(fixture.server.log.contains("/v1/photos/{id}"), "the log has the pattern")

            #expect(try fixture.http("POST", "/v1/photos", rawBody: "x").status == 401)
            try fixture.crash()
            #expect(try eventually { try fixture.file(url).status == 200 })
        }
    }

    @Test("a phone's picture comes upright, without the phone and the place")
    func phones() async throws {
        try await ServerFixture.open { fixture in
            let ada = try fixture.signUp("Ada")
            let plain = try fixture.upload(SamplePicture.png(60, 40), by: ada).json?["url"].string ?? ""
            let jpeg = try fixture.file(plain).body
            for orientation in 1...8 {
                let picture = PhoneMetadata(orientation: UInt16(orientation)).added(to: jpeg)
                let photo = try #require(try fixture.upload(picture, by: ada).json)
                #expect(photo["width"].int == (orientation < 5 ? 60 : 40))
                #expect(photo["height"].int == (orientation < 5 ? 40 : 60))
                for address in [photo["url"].string, photo["thumb"].string] {
                    let bytes = try fixture.file(address ?? "").body
                    for trace in ["Exif", PhoneMetadata.maker] {
                        #expect(bytes.firstRange(of: Array(trace.utf8)) == nil)
                    }
                }
            }
        }
    }

    @Test("what is no photo, or never comes to its end, is refused; nothing is kept, and the next is taken")
    func badFiles() async throws {
        try await ServerFixture.open { fixture in
            let ada = try fixture.signUp("Ada")
            let head =
                "POST /v1/photos HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(ada.token)\r\n"
                + "Content-Length: 5000\r\n\r\n"
            // Its deadline runs while the other cases are tested.
            let port = fixture.server.port
            async let late = self.drip(head, on: port)
            // These uploads occupy all slots of another user.
            let bo = try fixture.signUp("Bo")
            async let silent = self.fallSilent(4, head.replacing(ada.token, with: bo.token), on: port)
            do {
                let cut = try BlockingHTTP(port: fixture.server.port)
                try cut.sendRaw(Array(head.utf8) + SamplePicture.png(20, 20))
            }
            let png = SamplePicture.png(64, 64)
            let table: [(name: String, bytes: [UInt8], status: Int, code: String, field: String?)] = [
                ("a bomb", SamplePicture.bomb(50_000, 50_000), 413, "too_large", "photo"),
                ("half a picture", Array(png.prefix(png.count / 2)), 400, "bad_request", "photo"),
                ("a GIF", SamplePicture.gif(frames: 300), 400, "bad_request", "photo"),
                ("SVG", Array(#"<svg xmlns="http://www.w3.org/2000/svg"/>"#.utf8), 400, "bad_request", "photo"),
                ("PDF", Array("%PDF-1.7".utf8), 400, "bad_request", "photo"),
                ("text", Array("Hello".utf8), 400, "bad_request", "photo"),
                ("nothing", [], 400, "bad_request", "photo"),
                ("8 MiB and a byte", [UInt8](repeating: 0xFF, count: 8_388_609), 413, "too_large", nil),
            ]
            for use in [nil, "avatar"] {
                for row in table {
                    let reply = try fixture.upload(row.bytes, by: ada, use: use)
                    #expect(reply.status == row.status, "\(row.name): \(reply.text)")
                    #expect(reply.code == row.code, "\(row.name)")
                    #expect(reply.json?["field"].string == row.field, "\(row.name)")
                }
            }
            let use = try fixture.upload(png, by: ada, use: "wallpaper")
            #expect(use.json?["field"].string == "use")
            let narrow = try fixture.upload(SamplePicture.png(1, 400), by: ada, use: "avatar")
            #expect(narrow.json?["field"].string == "photo")
            #expect(try fixture.count(of: "muster.photo") == 0)

            #expect(try fixture.upload(SamplePicture.cmyk, by: ada).status == 201, "CMYK is converted")
            #expect(try fixture.upload(SamplePicture.webp, by: ada).status == 201)
            for answer in try await silent {
                #expect(answer.status == 408)
                #expect(String(decoding: answer.body, as: UTF8.self).contains(#""code":"bad_request""#))
            }
            #expect(try eventually { try fixture.upload(png, by: bo).status == 201 }, "Bo's slots are free again")
            #expect(try await late.status == 408)
            #expect(try fixture.count(of: "muster.photo") == 3)
            let metrics = try fixture.http("GET", "/metrics").text
            #expect(metrics.contains(#"muster_http_requests_total{route="(gateway)",method="POST",status="408"} 5"#))
            #expect(metrics.contains(#"muster_imaging_refused_total{operation="photo",reason="too_many_pixels"} 1"#))
            #expect(metrics.contains(#"muster_imaging_queue{operation="face"} 0"#))
            #expect(metrics.contains(#"muster_imaging_seconds_count{operation="photo"}"#))
        }
    }

    /// Sends only the beginnings of bodies, and waits for the answers.
    private func fallSilent(_ count: Int, _ head: String, on port: UInt16) async throws -> [HTTPAnswer] {
        try await onWorkerThread {
            let clients = try (0..<count).map { _ in try BlockingHTTP(port: port) }
            for client in clients { try client.sendRaw(Array(head.utf8) + [0xFF, 0xD8, 0xFF]) }
            return try clients.map { try $0.answer(to: "POST", timeout: 60_000) }
        }
    }

    /// Sends a body byte by byte, a few per second, until an answer arrives.
    private func drip(_ head: String, on port: UInt16) async throws -> HTTPAnswer {
        try await onWorkerThread {
            let client = try BlockingHTTP(port: port)
            try client.sendRaw(Array(head.utf8) + [0xFF, 0xD8, 0xFF])
            while true {
                do throws(ClientError) {
                    return try client.answer(to: "POST", timeout: 300)
                } catch {
                    guard error.code == .timedOut else { throw error }
                    try client.sendRaw([0])
                }
            }
        }
    }

    @Test("the server outlives its children, loads no image library, and leaves none behind")
    func children() async throws {
        try await ServerFixture.open { fixture in
            let ada = try fixture.signUp("Ada")
            _ = try fixture.photo(by: ada)
            for _ in 0..<3 {
                let children = try fixture.imagingProcesses()
                #expect(children.count == 1)
                for child in children { kill(child, SIGKILL) }
                #expect(try eventually { try fixture.imagingProcesses().isEmpty })
                _ = try fixture.photo(by: ada)
            }
            let child = try #require(try fixture.imagingProcesses().first)
            // Read in chunks: files in /proc report a size of 0.
            func maps(of process: Int32) -> String {
                let file = FileHandle(forReadingAtPath: "/proc/\(process)/maps")
                defer { try? file?.close() }
                return String(decoding: (try? file?.readToEnd()) ?? Data(), as: UTF8.self)
            }
            #expect(maps(of: child).contains("libvips"))
            let server = maps(of: fixture.server.processIdentifier)
            #expect(server.contains("libwebsockets") && !server.contains("libvips"))
            let limits = try String(contentsOfFile: "/proc/\(child)/limits", encoding: .utf8)
            #expect(limits.contains(/Max address space +1073741824 +1073741824/))
            let status = try String(contentsOfFile: "/proc/\(child)/status", encoding: .utf8)
            #expect(status.contains("\nSeccomp:\t2\n") && status.contains("\nNoNewPrivs:\t1\n"))
            fixture.server.kill()
            // A zombie process has no memory maps.
            #expect(eventually { maps(of: child).isEmpty }, "a child is left behind")
        }
    }

    @Test("sixty uploads at once and one a minute are permitted, and more are too many, for that person alone")
    func rate() async throws {
        try await ServerFixture.open { fixture in
            let ada = try fixture.signUp("Ada")
            let replies = try repeatUntilRefused(most: 80, where: { $0.status == 429 }) { _ in
                try fixture.upload(Array("text".utf8), by: ada)
            }
            #expect(replies.count > 60 && replies.dropLast().allSatisfy { $0.status == 400 })
            let reply = try #require(replies.last)
            #expect(reply.status == 429)
            #expect(reply.headers["retry-after"].flatMap { Int($0) }.map { (1...60).contains($0) } == true)
            _ = try fixture.photo(by: try fixture.signUp("Bo"))
        }
    }

    @Test("a spot shows a photo of its author's, once, in every list, and takes it along when it goes")
    func spots() async throws {
        try await ServerFixture.open { fixture in
            let (ada, bo) = (try fixture.enter(try fixture.signUp("Ada")), try fixture.enter(try fixture.signUp("Bo")))
            let photo = try #require(try fixture.upload(SamplePicture.png(400, 300), by: ada.account).json)
            let id = try #require(photo["id"].string)
            func draft(_ photo: String) -> JSON {
                ["lat": 48.2082, "lon": 16.3738, "comment": "Café", "photo": .string(photo)]
            }
            let face = try fixture.photo(by: bo.account, use: "avatar")
            for wrong in [id, face, "12345"] {
                #expect(try bo.refusal(of: "spot.add", draft(wrong))["code"].string == "not_found")
            }
            let spot = try ada.request("spot.add", draft(id))["spot"]
            let lists = [
                try bo.request("spots.all", ["limit": 5])["spots"][0],
                try bo.request("spots.nearby", ["lat": 48.2, "lon": 16.37, "radius": 5000, "limit": 5])["spots"][0],
                try bo.request("spot.vote", ["spot": .string(spot["id"].string ?? ""), "vote": "like"])["spot"],
            ]
            for seen in [spot] + lists {
                #expect(seen["photo"]["url"].string == photo["url"].string)
                #expect(seen["photo"]["thumb"].string == photo["thumb"].string)
                #expect(seen["photo"]["width"].int == 400)
                #expect(seen["photo"]["height"].int == 300)
            }
            // The photo is in use now.
            #expect(try ada.refusal(of: "spot.add", draft(id))["code"].string == "not_found")
            #expect(try fixture.count(of: "muster.spot") == 1)
            let address = photo["url"].string ?? ""
            #expect(try fixture.file(address).status == 200)
            try ada.request("spot.delete", ["spot": .string(spot["id"].string ?? "")])
            #expect(try fixture.file(address).status == 404)
            #expect(try fixture.count(of: "muster.photo WHERE id = $1", [.id(id)]) == 0)
        }
    }

    @Test("a face is in the friends' rosters at once; it is a photo of one's own, and goes with the next one")
    func faces() async throws {
        try await ServerFixture.open { fixture in
            let (people, group) = try fixture.friends("Ada", "Bo")
            let (ada, bo) = (people[0], people[1])
            func patch(_ avatar: JSON) throws -> HTTPReply {
                try fixture.http("PATCH", "/v1/me", token: ada.account.token, body: ["avatar": avatar])
            }
            let faces = try (0..<2).map { _ in try fixture.photo(by: ada.account, use: "avatar") }
            var last = ""
            for face in faces {
                let address = try #require(try patch(.string(face)).json?["avatar"].string)
                #expect(address.hasPrefix("/v1/photos/\(face)/thumb?k="))
                try bo.waitUntil("the face") { bo.roster(group)[ada.account.id]["avatar"]?.string == address }
                #expect(try fixture.file(address).status == 200)
                #expect(try fixture.file(address.replacing("/thumb", with: "")).status == 200)
                if !last.isEmpty { #expect(try fixture.file(last).status == 404, "the face before is gone") }
                last = address
            }
            #expect(try patch(.string(faces[1])).json?["avatar"].string == last, "the same again changes nothing")
            let refused: [(avatar: JSON, status: Int, field: String?)] = [
                (.string("https://elsewhere.example/ada.png"), 400, "avatar"), (.string(last), 400, "avatar"),
                (.string(""), 400, "avatar"), (7, 400, "avatar"),
                (.string(try fixture.photo(by: ada.account)), 400, "avatar"),
                (.string(try fixture.photo(by: bo.account, use: "avatar")), 404, nil), (.string(faces[0]), 404, nil),
            ]
            for row in refused {
                let reply = try patch(row.avatar)
                #expect(reply.status == row.status, "\(row.avatar.text): \(reply.text)")
                #expect(reply.json?["field"].string == row.field, "\(row.avatar.text)")
            }
            #expect(try fixture.http("GET", "/v1/me", token: ada.account.token).json?["avatar"].string == last)
            let again = try fixture.enter(ada.account, device: "tablet")
            #expect(again.received.first { $0.type == "welcome" }?["user"]["avatar"].string == last)
            #expect(try patch(nil).json?["avatar"].isNull == true)
            try bo.waitUntil("no face") { bo.roster(group)[ada.account.id]["avatar"]?.isNull == true }
            #expect(try fixture.file(last).status == 404)
        }
    }

    @Test("the export names every photo, and of a deleted account none is left")
    func erasure() async throws {
        try await ServerFixture.open { fixture in
            let ada = try fixture.enter(try fixture.signUp("Ada"))
            let face = try fixture.photo(by: ada.account, use: "avatar")
            _ = try fixture.http("PATCH", "/v1/me", token: ada.account.token, body: ["avatar": .string(face)])
            let shown = try fixture.photo(by: ada.account)
            try ada.request("spot.add", ["lat": 48.2, "lon": 16.37, "comment": "Café", "photo": .string(shown)])
            let unused = try fixture.photo(by: ada.account)
            let export = try #require(try fixture.http("GET", "/v1/me/export", token: ada.account.token).json)
            let photos = export["photos"].elements
            #expect(Set(photos.compactMap { $0["id"].string }) == [face, shown, unused])
            for photo in photos {
                for address in ["url", "thumb"] { #expect(try fixture.file(photo[address].string ?? "").status == 200) }
            }
            #expect(export["spots"][0]["photo"].string == shown)
            #expect(try fixture.http("DELETE", "/v1/me", token: ada.account.token).status == 204)
            for table in ["photo", "photo_use"] { #expect(try fixture.count(of: "muster.\(table)") == 0) }
            for photo in photos { #expect(try fixture.file(photo["url"].string ?? "").status == 404) }
        }
    }
}
