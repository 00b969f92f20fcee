import EventLoop
import Foundation
import MusterTestSupport
import Testing

/// How a session stands beside others, with the real kernel.
@Suite("The niceness of a session", .enabled(if: SessionNiceness.canPrefer), .serialized)
struct SessionNicenessTests {
    @Test("what runs in the meantime goes first, and what was is again")
    func preferring() async throws {
        let before = SessionNiceness.current
        let within = await SessionNiceness.preferring { SessionNiceness.current }
        #expect(within == -10)
        #expect(SessionNiceness.current == before)
        await #expect(throws: CancellationError.self) {
            try await SessionNiceness.preferring { throw CancellationError() }
        }
        #expect(SessionNiceness.current == before)
    }

    @Test("whoever shares a session leaves it as it is")
    func preferOwn() throws {
        try #require(getsid(0) != getpid())
        let before = SessionNiceness.current
        SessionNiceness.preferOwn()
        #expect(SessionNiceness.current == before)
    }
}
