import Foundation
import MusterTestSupport
import Testing

@testable import MusterCore
@testable import MusterServer
@testable import MusterWire
@testable import WebSocketGateway

/// A post of an app, with what it means.
private struct AppPost: Decodable, Sendable, CustomTestStringConvertible {
    struct Meaning: Decodable, Equatable, Sendable {
        var at: Int64?
        var lat: Double
        var lon: Double
        var accuracy: Float?
        var altitude: Float?
        var speed: Float?
        var course: Float?
        var battery: Float?
        var trigger: String
    }

    let app: String
    let version: String
    let name: String
    let query: String
    let body: String
    let fixes: [Meaning]
    let problems: Int
    let token: String?
    let android: Bool?

    var testDescription: String { "\(self.app) \(self.version): \(self.name)" }

    static let all: [AppPost] = {
        let file = MusterProcess.checkout.appending(path: "Tests/Fixtures/phone-apps/posts.jsonl")
        let lines = (try? String(contentsOf: file, encoding: .utf8))?.split(separator: "\n") ?? []
        return lines.compactMap { try? JSONDecoder().decode(AppPost.self, from: Data($0.utf8)) }
    }()
}

extension AppPost.Meaning {
    /// The meaning of a fix; numbers converted from other units are rounded.
    fileprivate init(_ fix: Fix) {
        self.at = fix.at?.milliseconds
        self.lat = fix.coordinate.latitude
        self.lon = fix.coordinate.longitude
        self.accuracy = fix.accuracy
        self.altitude = fix.altitude
        self.speed = fix.speed.map { ($0 * 1_000).rounded() / 1_000 }
        self.course = fix.course
        self.battery = fix.battery.map { ($0 * 1_000).rounded() / 1_000 }
        self.trigger = fix.trigger?.rawValue ?? ""
    }
}

@Suite("Posts of phones' apps")
struct AppReaderTests {
    @Test("all posts of the fixtures are read")
    func fixtures() {
        let file = MusterProcess.checkout.appending(path: "Tests/Fixtures/phone-apps/posts.jsonl")
        let lines = (try? String(contentsOf: file, encoding: .utf8))?.split(separator: "\n") ?? []
        #expect(AppPost.all.count == lines.count && lines.count >= 40)
    }

    @Test("mean what their apps say", arguments: AppPost.all)
    private func posts(_ post: AppPost) throws {
        let body = Array(post.body.utf8)
        let report: AppReport
        switch post.app {
        case "owntracks":
            let reader = OwnTracksReader(body, secret: nil)
            report = reader.report
            #expect(reader.isAndroid == (post.android ?? false))
        case "overland":
            report = OverlandReader.report(body)
        default:
            let query = post.query.split(separator: "&").map { field in
                let parts = field.split(separator: "=", maxSplits: 1).map(String.init)
                return (name: parts[0], value: parts.count > 1 ? parts[1] : "")
            }
            let reader = OsmAndReader(query: query, body: body)
            #expect(reader.token == post.token)
            report = reader.report
        }
        #expect(report.fixes.map(AppPost.Meaning.init) == post.fixes)
        #expect(report.problems.count == post.problems, "\(report.problems)")
    }

    @Test("an encrypted post opens with the tracker's key alone, and is answered alike")
    func encryption() throws {
        let server = SecretKey()
        let secret = TrackerSecret(of: DeviceID(31), key: server)
        #expect(secret.text.utf8.count == 32)
        let plain = #"{"_type":"location","lat":48.2,"lon":16.37,"tst":1793696400}"#
        let post = Array(#"{"_type":"encrypted","data":"\#(secret.seal(Array(plain.utf8)))"}"#.utf8)
        let reader = OwnTracksReader(post, secret: secret)
        #expect(reader.isEncrypted && reader.report.fixes.count == 1 && reader.report.problems.isEmpty)
        for other in [TrackerSecret(of: DeviceID(32), key: server), TrackerSecret(of: DeviceID(31), key: SecretKey())] {
            let refused = OwnTracksReader(post, secret: other).report
            #expect(refused.fixes.isEmpty && refused.problems.count == 1)
        }
        let nested = Array(#"{"_type":"encrypted","data":"\#(secret.seal(post))"}"#.utf8)
        #expect(OwnTracksReader(nested, secret: secret).report.fixes.isEmpty)

        let answer = OwnTracksAnswer([.reportLocation], faces: [:], secret: secret, at: Timestamp(milliseconds: 0))
        let sealed = try JSONDocument(answer.body).root[0]
        #expect(sealed["_type"].string == "encrypted")
        let opened = try #require(sealed["data"].string.flatMap(secret.open))
        #expect(String(decoding: opened, as: UTF8.self) == #"{"_type":"cmd","action":"reportLocation"}"#)
    }

    @Test("an answer never exceeds 256 KiB, and says what it contains")
    func size() throws {
        let face = [UInt8](repeating: 7, count: OwnTracksAnswer.faceLimit)
        let users = (1...60).map { UserProfile(id: UserID($0), name: "user \($0)", avatar: "/v1/photos/1/thumb?k=0") }
        let faces = Dictionary(uniqueKeysWithValues: users.map { ($0.id, face) })
        for secret in [nil, TrackerSecret(of: DeviceID(1), key: SecretKey())] {
            let answer = OwnTracksAnswer(users.map { .card($0) }, faces: faces, secret: secret, at: .never)
            #expect(answer.body.count <= OwnTracksAnswer.limit && answer.body.count > 200_000)
            #expect(try JSONDocument(answer.body).root.count == answer.messages.count)
            #expect(answer.messages.count < users.count)
        }
        // A face that is too large is left out, not the name.
        let large = OwnTracksAnswer([.card(users[0])], faces: [users[0].id: face + [0]], secret: nil, at: .never)
        let card = try JSONDocument(large.body).root[0]
        #expect(card["name"].string == "user 1" && card["face"].isAbsent)
    }

    @Test("a token is read from Bearer, and from the password of Basic")
    func tokens() {
        func token(_ value: String) -> String? {
            IngestRoutes.token(in: ["authorization": value])
        }
        #expect(token("Bearer abc") == "abc")
        #expect(token("basic " + Data("ada:a:b".utf8).base64EncodedString()) == "a:b")
        #expect(token("Basic nonsense!") == nil)
        #expect(token("Digest abc") == nil)
    }
}
