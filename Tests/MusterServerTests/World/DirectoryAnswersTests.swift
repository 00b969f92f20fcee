import EventLoop
import MusterTestSupport
import Postgres
import Testing

@testable import MusterCore
@testable import MusterServer

@Suite("Answers of the directory to the world", .blocking)
struct DirectoryAnswersTests {
    /// A link whose inputs the test reads one after the other.
    private final class Inputs: WorldLink {
        let stream: AsyncStream<WorldInput>
        private let continuation: AsyncStream<WorldInput>.Continuation
        let metrics = WorldStatistics()

        init() { (self.stream, self.continuation) = AsyncStream.makeStream() }

        func send(_ input: WorldInput) { self.continuation.yield(input) }

        func send(contentsOf inputs: inout [WorldInput]) {
            for input in inputs { self.send(input) }
            inputs.removeAll()
        }

        func deliver(_ inputs: inout [WorldInput]) -> WorldIntake {
            self.send(contentsOf: &inputs)
            return .open
        }

        func unfollowed(_ topic: UnfollowedTopic) {}
    }

    private static let spots = SpotQuery(
        number: 1,
        session: SessionID(1),
        user: UserID(7),
        after: SpotID(1),
        circle: nil
    )
    private static let rooms = RoomsQuery(session: SessionID(1), user: UserID(7), rooms: [RoomID(1)])

    /// Each question, with its answer in an empty database; nil where a row is required.
    private static let answers: [(question: StorageQuestion, answer: StorageAnswer?)] = [
        (.group(GroupID(1)), .group(nil)),
        (.ended(logins: [LoginID(2)], users: [UserID(7)]), .ended(logins: [LoginID(2)], users: [UserID(7)])),
        (.inbox(UserID(7)), nil),
        (.missedSpots(Self.spots), .missedSpots([])),
        (.votes([SpotID(1)]), .votes([])),
        (.spotTexts([SpotID(1)]), .spotTexts([])),
        (.rooms(Self.rooms), .rooms(RoomsRead(rooms: [], changes: []))),
        (.roomChanges(RoomID(1), after: 0), nil),
        (.roomVersions([RoomID(1)]), .roomVersions([])),
        (.event(EventID(1)), .event(nil)),
    ]

    /// The answer to a question, as the world receives it.
    private static func answer(
        _ question: StorageQuestion,
        from fixture: DirectoryFixture,
        logger: Logger = Logger(level: .error)
    ) async -> StorageAnswer? {
        let inputs = Inputs()
        DirectoryAnswers(directory: fixture.directory, world: inputs, logger: logger).ask(question)
        for await input in inputs.stream {
            guard case .answered(question, let answer) = input else { continue }
            return answer
        }
        return nil
    }

    @Test("each question has the answer of its name, and none where a row is missing that there must be")
    func answers() async throws {
        try await DirectoryFixture.with { fixture in
            for (question, expected) in Self.answers {
                #expect(await Self.answer(question, from: fixture) == expected, "\(question)")
            }
        }
    }

    @Test("a question that the world repeats later, or for which a session waits at its hello, fails at once")
    func failures() async throws {
        try await DirectoryFixture.with { fixture in
            await fixture.pool.close()
            let questions: [StorageQuestion] = [
                .group(GroupID(1)), .inbox(UserID(7)), .missedSpots(Self.spots), .votes([SpotID(1)]),
                .spotTexts([SpotID(1)]),
            ]
            for question in questions {
                #expect(await Self.answer(question, from: fixture) == nil, "\(question)")
            }
        }
    }

    @Test("a question that the world repeats at once fails after a pause, and the log says why, once")
    func repeated() async throws {
        try await DirectoryFixture.with { fixture in
            try await fixture.pool.query("ALTER TABLE muster.room RENAME TO elsewhere")
            let lines = try await LoggedLines.written(.error) { logger in
                let inputs = Inputs()
                let answers = DirectoryAnswers(directory: fixture.directory, world: inputs, logger: logger)
                let begin = MonotonicClock.system.milliseconds
                for _ in 0..<2 { answers.ask(.roomVersions([RoomID(1)])) }
                var received = inputs.stream.makeAsyncIterator()
                for _ in 0..<2 {
                    guard case .answered(.roomVersions, nil) = await received.next() else {
                        Issue.record("there is an answer")
                        continue
                    }
                }
                #expect(MonotonicClock.system.milliseconds - begin >= 2_000)
            }
            #expect(lines.map { $0["message"] } == ["storage does not answer the world, which asks again"])
            #expect(lines.first?["error"]?.isEmpty == false)
        }
    }
}
