import Foundation
import MusterTestSupport
import Testing

@testable import EventLoop

/// The scheduling priority of a session relative to others, with the real kernel.
///
/// Each test is a process that leads its own session. Other programs beside the tests, such as a bench, change the
/// niceness of theirs.
@Suite("The niceness of a session", .enabled(if: SessionNiceness.canPrefer))
struct SessionNicenessTests {
    @Test("what runs in the meantime goes first, and what was is again")
    func preferring() async {
        await #expect(processExitsWith: .success) {
            try await Self.startSession()
            let within = await SessionNiceness.preferring(log: Self.complain) { SessionNiceness.current }
            #expect(within == -10)
            #expect(SessionNiceness.current == 3)
            await #expect(throws: CancellationError.self) {
                try await SessionNiceness.preferring(log: Self.complain) { throw CancellationError() }
            }
            #expect(SessionNiceness.current == 3)
        }
    }

    @Test("whoever leads a session lets it go first")
    func preferOwn() async {
        await #expect(processExitsWith: .success) {
            try await Self.startSession()
            await SessionNiceness.preferOwn()
            #expect(SessionNiceness.current == -10)
        }
    }

    /// Starts a session at a niceness that these tests do not grant.
    private static func startSession() async throws {
        try #require(setsid() == getpid())
        try #require(await SessionNiceness.set(3) == .changed)
    }

    private static func complain(_ event: LogEvent) { Issue.record("\(event.message)") }
}
