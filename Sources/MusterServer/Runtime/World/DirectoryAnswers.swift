import EventLoop
import MusterCore
import MusterWire
import Synchronization

/// Answers the world's questions from the directory, each in a task of its own.
final class DirectoryAnswers: StorageOutlet {
    /// The kinds of questions for sessions that are already admitted.
    ///
    /// Each kind has its share, and admissions have the remaining capacity.
    private enum Kind {
        case inbox, missedSpots, votes, spotTexts
    }

    private let directory: Directory
    private let world: any WorldLink
    private let logger: Logger
    private let limit = ConcurrencyLimit<Kind>(4, share: 2)
    /// Failures of the questions that are repeated until there is an answer.
    private let failures = Mutex(FailureLog())

    init(directory: Directory, world: any WorldLink, logger: Logger) {
        self.directory = directory
        self.world = world
        self.logger = logger
    }

    /// The maximum number of attempts of a read while storage is unavailable.
    private static let attempts = 15
    /// The longest pause between two attempts, in milliseconds.
    private static let longestPause: Int64 = 2_000

    func push(_ content: NotificationContent, to user: UserID, until expiresAt: Timestamp) {
        Task {
            do {
                try await self.directory.enqueuePush(content, to: user, until: expiresAt)
            } catch {
                self.logger.warning("a request was not pushed", ["error": .text(String(reflecting: error))])
            }
        }
    }

    func ask(_ question: StorageQuestion) {
        Task { self.world.send(.answered(question, await self.answer(question))) }
    }

    /// Returns the answer to a question; nil when storage cannot answer.
    private func answer(_ question: StorageQuestion) async -> StorageAnswer? {
        switch question {
        // The sessions that wait for a group are closed after the first failure.
        case .group: return try? await self.read(question)
        // The world repeats these questions after a pause.
        case .inbox: return await self.read(question, as: .inbox)
        case .missedSpots: return await self.read(question, as: .missedSpots)
        case .votes: return await self.read(question, as: .votes)
        case .spotTexts: return await self.read(question, as: .spotTexts)
        // The sessions that wait for these answers are closed after the last failure.
        case .rooms, .roomChanges, .event: return try? await self.readWithRetries(question)
        // No session is closed for these questions; the world repeats them at once until there is an answer.
        case .ended, .roomVersions:
            do {
                let answer = try await self.readWithRetries(question)
                self.log { $0.succeeded(at: $1) { LogEvent(.info, "storage answers the world again") } }
                return answer
            } catch {
                self.log { failures, now in
                    failures.failed(at: now) {
                        LogEvent(.error, "storage does not answer the world, which asks again", [("error", "\(error)")])
                    }
                }
                try? await Task.sleep(for: .milliseconds(Self.longestPause))
                return nil
            }
        }
    }

    /// Reads an answer as soon as there is capacity for its kind.
    private func read(_ question: StorageQuestion, as kind: Kind) async -> StorageAnswer? {
        // The limit itself fails only for a cancelled task, and nothing cancels these tasks.
        try? await self.limit.run(for: kind) { try await self.read(question) }
    }

    /// Reads an answer, with growing pauses between the attempts while storage is unavailable.
    ///
    /// - Throws: the last error.
    private func readWithRetries(_ question: StorageQuestion) async throws -> StorageAnswer {
        var backoff = Backoff(shortest: 50, longest: Self.longestPause)
        var attempt = 1
        while true {
            do {
                return try await self.read(question)
            } catch {
                guard FrameError(error).code == .unavailable, attempt < Self.attempts else { throw error }
            }
            attempt += 1
            try? await Task.sleep(for: .milliseconds(backoff.fail()))
        }
    }

    /// Logs a failure or its end, when a line is due.
    private func log(_ event: (inout FailureLog, Int64) -> LogEvent?) {
        let due = self.failures.withLock { event(&$0, MonotonicClock.system.milliseconds) }
        if let due { self.logger.log(due, component: "world") }
    }

    private func read(_ question: StorageQuestion) async throws -> StorageAnswer {
        switch question {
        case .group(let group):
            do {
                return .group(try await self.directory.loadGroup(group))
            } catch {
                guard FrameError(error).code == .notFound else { throw error }
                return .group(nil)
            }
        case .ended(let logins, let users):
            let ended = try await self.directory.ended(among: logins, users)
            return .ended(logins: ended.logins, users: ended.users)
        case .inbox(let user):
            let inbox = try await self.directory.inbox(of: user)
            return .inbox(inbox.unseen, upTo: inbox.lastNumber)
        case .missedSpots(let query):
            return .missedSpots(try await self.directory.spots(missedBy: query).map { SpotSnapshot($0) })
        case .votes(let spots): return .votes(try await self.directory.votes(on: spots))
        case .spotTexts(let spots): return .spotTexts(try await self.directory.texts(of: spots))
        case .rooms(let query): return .rooms(try await self.directory.rooms(query))
        case .roomChanges(let room, let version):
            return .roomChanges(try await self.directory.roomAdvance(room, after: version))
        case .roomVersions(let rooms): return .roomVersions(try await self.directory.roomHeads(rooms))
        case .event(let event):
            let found = try await self.directory.events([event]).first
            let now = Timestamp(milliseconds: MonotonicClock.system.wallMilliseconds)
            return .event(found.map { EventSnapshot($0, at: now) })
        }
    }
}
