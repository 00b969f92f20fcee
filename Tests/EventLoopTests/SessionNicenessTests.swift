import Foundation
import MusterTestSupport
import Testing

@testable import EventLoop

/// How a session stands beside others, with the real kernel.
@Suite("The niceness of a session", .enabled(if: SessionNiceness.canPrefer), .serialized)
struct SessionNicenessTests {
    /// Runs `body` in a session that stands as nobody here lets one stand.
    private static func setApart(_ body: () async -> Void) async throws {
        let before = try #require(SessionNiceness.current)
        #expect(await SessionNiceness.set(3) == .changed)
        await body()
        #expect(await SessionNiceness.set(before) == .changed)
    }

    @Test("what runs in the meantime goes first, and what was is again")
    func preferring() async throws {
        try await Self.setApart {
            let within = await SessionNiceness.preferring(log: Self.complain) { SessionNiceness.current }
            #expect(within == -10)
            #expect(SessionNiceness.current == 3)
            await #expect(throws: CancellationError.self) {
                try await SessionNiceness.preferring(log: Self.complain) { throw CancellationError() }
            }
            #expect(SessionNiceness.current == 3)
        }
    }

    @Test("whoever shares a session leaves it as it is", .enabled(if: getsid(0) != getpid()))
    func preferOwn() async throws {
        try await Self.setApart {
            await SessionNiceness.preferOwn()
            #expect(SessionNiceness.current == 3)
        }
    }

    private static func complain(_ event: LogEvent) { Issue.record("\(event.message)") }
}
