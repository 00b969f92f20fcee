import EventLoop
import Foundation
import ImagingWire
import MusterTestSupport
import Testing

@testable import Imaging
@testable import MusterCore
@testable import MusterServer

@Suite("Children that decode pictures", .blocking)
struct ImagingPoolTests {
    private static let program = MusterProcess.executable.deletingLastPathComponent().appending(path: "muster-imaging")
        .path

    /// A pool whose children run a shell script, or the program itself.
    private static func pool(
        _ script: String? = nil,
        _ change: (inout ImagingPool.Limits) -> Void = { _ in }
    ) throws -> ImagingPool {
        var program = Self.program
        if let script {
            program = FileManager.default.temporaryDirectory.appending(path: "muster-child-\(UUID().uuidString)").path
            // Another process writes the script. If this process had it open for writing, a program that another test
            // starts could inherit the descriptor, and the script could not be executed.
            let write = #"printf '#!/bin/sh\n%s\n' "$1" >"$2" && chmod 755 "$2""#
            try #require(try Tool.run("/bin/sh", ["-c", write, "sh", script, program]).status == 0)
        }
        var limits = ImagingPool.Limits()
        change(&limits)
        return ImagingPool(program: program, limits: limits, logger: Logger(level: .error, descriptor: -1))
    }

    private func failure(
        of pool: ImagingPool,
        _ bytes: [UInt8] = SamplePicture.png(9, 9),
        _ operation: ImagingOperation = .photo
    ) async -> ImagingFailure? {
        do throws(ImagingFailure) {
            _ = try await pool.make(operation, of: bytes)
            return nil
        } catch {
            return error
        }
    }

    @Test("a child makes one picture after the other, and one that was killed is replaced")
    func replacement() async throws {
        let pool = try Self.pool()
        defer { pool.close() }
        #expect(try await pool.make(.photo, of: SamplePicture.png(40, 30)).map(\.width) == [40, 40])
        let first = pool.idleProcesses
        #expect(try await pool.make(.face, of: SamplePicture.png(40, 30)).map(\.width) == [512, 96])
        #expect(pool.idleProcesses == first)
        #expect(await self.failure(of: pool, [1, 2, 3]) == .refused(.notAPicture))
        #expect(pool.idleProcesses == first, "a refusal costs no child")
        for process in first { kill(process, SIGKILL) }
        #expect(try await pool.make(.photo, of: SamplePicture.png(40, 30)).count == 2)
        #expect(pool.idleProcesses.count == 1)
        #expect(pool.idleProcesses != first)
        #expect(pool.counts[.photo]?.failures == [.refused(.notAPicture): 1])
        #expect(pool.counts[.face]?.seconds.count == 1)
    }

    @Test("a child has no capability, gains no privilege, and runs behind a filter on all of its threads")
    func privileges() async throws {
        let pool = try Self.pool()
        defer { pool.close() }
        _ = try await pool.make(.photo, of: SamplePicture.png(40, 30))
        let child = try #require(pool.idleProcesses.first)
        let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(child)/task")
        for thread in threads {
            let status = try String(contentsOfFile: "/proc/\(child)/task/\(thread)/status", encoding: .utf8)
            let lines = status.split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }
            let values = Dictionary(lines.map { ($0[0], $0.last ?? "") }) { first, _ in first }
            for (key, value) in [
                ("CapInh:", "0000000000000000"), ("CapPrm:", "0000000000000000"), ("CapEff:", "0000000000000000"),
                ("CapAmb:", "0000000000000000"), ("NoNewPrivs:", "1"), ("Seccomp:", "2"),
            ] {
                #expect(values[key] == value, "thread \(thread) of \(threads.count): \(key)")
            }
        }
    }

    @Test("the program says by hand whether it can start here")
    func check() throws {
        // The output goes through a pipe, because a confined process may not grow files.
        #expect(
            try Tool.run("/bin/sh", ["-c", "'\(Self.program)' --check | cat"]).output.contains(
                "ok: starts and is confined"
            )
        )
        #expect(try Tool.run(Self.program, []).status == 2)
    }

    @Test("a tile that ends its child costs a share picture its tiles, and nothing else")
    func deadlyTile() async throws {
        let child = MusterProcess.checkout.appending(path: "Tests/StandIns/drawing.py").path
        let pool = try Self.pool("exec /usr/bin/python3 '\(child)'")
        defer { pool.close() }
        var picture = SampleShare.crowd(["Ada"])
        let place = try #require(TileAddress(zoom: 3, x: 4, y: 2))
        picture.tiles = [SharePicture.Tile(place, file: Array("well".utf8))]
        #expect(try await pool.draw(picture) == Array("on tiles".utf8))
        picture.tiles.append(SharePicture.Tile(place, file: Array("deadly".utf8)))
        #expect(try await pool.draw(picture) == Array("plain".utf8))
        #expect(pool.counts[.share]?.failures == [.deadly: 1])
        picture.tiles = []
        picture.title = "deadly"
        await #expect(throws: ImagingFailure.deadly) { try await pool.draw(picture) }
    }

    @Test("a confined child draws names of every script as if it were free, one picture after the other")
    func shares() async throws {
        let pool = try Self.pool()
        defer { pool.close() }
        try #require(PictureMaker.start() && PictureMaker.canMake(.share))
        for round in 0..<SampleShare.names.count {
            // Each round starts with other scripts at other sizes.
            let names = SampleShare.names[round...] + SampleShare.names[..<round]
            let message = SampleShare.crowd(Array(names.prefix(1 + 3 * (round % 6)))).encoded
            let free = try message.withUnsafeBytes { bytes in
                try Result { () throws(ImagingRefusal) in try PictureMaker.make(.share, of: bytes) }.get()
            }
            let confined = try await pool.make(.share, of: message)
            #expect(confined == free, "round \(round)")
        }
        let children = pool.idleProcesses
        #expect(await self.failure(of: pool, [1, 2, 3], .share) == .refused(.damaged))
        #expect(pool.idleProcesses == children, "a refusal costs no child")
    }

    @Test(
        "a picture that ends its child, or keeps it too long, is refused, and one whose child others kill is not to blame",
        arguments: [
            ("kill -SEGV $$", ImagingFailure.deadly), ("kill -ABRT $$", .deadly), ("exec sleep 600", .deadly),
            ("exec cat", .deadly), ("exit 127", .unavailable), ("kill -KILL $$", .unavailable),
        ]
    )
    func deaths(script: String, expected: ImagingFailure) async throws {
        let pool = try Self.pool(script) { $0.deadline = script.hasSuffix("600") ? 300 : 30_000 }
        defer { pool.close() }
        #expect(await self.failure(of: pool) == expected)
        #expect(await self.failure(of: pool, SampleShare.crowd(["Ada"]).encoded, .share) == expected)
        #expect(pool.idleProcesses.isEmpty)
    }

    @Test("there is no child without the program")
    func missing() async throws {
        let pool = ImagingPool(program: "/nonexistent/muster-imaging", logger: Logger(level: .error, descriptor: -1))
        defer { pool.close() }
        #expect(await self.failure(of: pool) == .unavailable)
    }

    @Test("two are made at once, sixteen wait, and the next is refused at once")
    func queue() async throws {
        let pool = try Self.pool("exec sleep 600") { $0.deadline = 2000 }
        await withTaskGroup(of: ImagingFailure?.self) { group in
            for _ in 0..<24 { group.addTask { await self.failure(of: pool) } }
            // Six are refused while the others are still running.
            for _ in 0..<6 { #expect(await group.next() == .some(.busy)) }
            #expect(eventually(within: 1500) { pool.counts[.photo]?.waiting == 16 })
            for _ in 0..<18 { #expect(await group.next() == .some(.deadly)) }
        }
        #expect(pool.counts[.photo]?.waiting == 0)
        #expect(pool.counts[.photo]?.failures == [.busy: 6, .deadly: 18])
        pool.close()
    }
}
