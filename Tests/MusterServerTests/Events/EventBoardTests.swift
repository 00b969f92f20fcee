import EventLoop
import MusterTestSupport
import MusterWire
import Testing

@testable import MusterServer

@Suite("The board of events", .blocking)
struct EventBoardTests {
    private static func board() -> EventBoard {
        EventBoard(world: SessionStage.Notes(), atlas: AtlasRecorder(), clock: .system)
    }

    @Test("who comes right after the start waits until all events have been read, and not again")
    func waits() async throws {
        try await DirectoryStage.with { stage in
            let board = Self.board()
            let early = Task { try await board.requireLoaded() }
            try await board.changeKind.compare(stage.directory)
            try await early.value
            let clock = MonotonicClock.system
            let start = clock.milliseconds
            try await board.requireLoaded()
            #expect(clock.milliseconds - start < 1000)
        }
    }

    @Test("when events are not read for long, that is said, and when to come again")
    func unavailable() async {
        let error = await #expect(throws: FrameError.self) { try await Self.board().requireLoaded() }
        #expect(error?.code == .unavailable)
        #expect(error?.retryAfter == 500)
    }
}
