import EventLoop
import MusterCore
import Synchronization

/// Notifies users of messages in rooms, after the writer has committed them, a few rooms at a time.
final class ChatNotifier: Sendable {
    private struct Waiting {
        var rooms: Set<RoomID> = []
        var away: Set<UserID> = []
        /// Whether rooms that were not named may have pending notifications.
        ///
        /// Initially true for those of an earlier process.
        var mustRecover = true
        var wake: CheckedContinuation<Void, Never>?
        var isEnded = false
    }

    /// Milliseconds between two passes.
    ///
    /// The more messages a pass covers, the lower its cost for each message.
    private static let pause: Int64 = 100
    /// The maximum number of rooms in one pass.
    private static let roomsAtATime = 64

    private let world: any WorldLink
    private let logger: Logger
    private let waiting = Mutex(Waiting())

    init(world: any WorldLink, logger: Logger) {
        self.world = world
        self.logger = logger
    }

    /// Schedules the notifications of rooms that changed.
    func add(_ rooms: some Sequence<RoomID>) { self.wake { $0.rooms.formUnion(rooms) } }

    /// Schedules the notification of a user who went offline, if there are unread messages.
    func add(away user: UserID) { self.wake { $0.away.insert(user) } }

    /// Schedules all rooms with pending notifications.
    func recover() { self.wake { $0.mustRecover = true } }

    private func wake(_ change: (inout Waiting) -> Void) {
        let sleeper = self.waiting.withLock { waiting -> CheckedContinuation<Void, Never>? in
            change(&waiting)
            return waiting.wake.take()
        }
        sleeper?.resume()
    }

    /// Starts with the pending notifications of an earlier process, and runs until the task is cancelled.
    func run(_ directory: Directory) async {
        await withTaskCancellationHandler {
            var failures = FailureLog()
            while !Task.isCancelled {
                await self.sleep()
                let (rooms, away, mustRecover) = self.waiting.withLock { waiting in
                    let rooms = Array(waiting.rooms.prefix(Self.roomsAtATime))
                    waiting.rooms.subtract(rooms)
                    defer {
                        waiting.away.removeAll()
                        waiting.mustRecover = false
                    }
                    return (rooms, waiting.away, waiting.mustRecover)
                }
                do {
                    if mustRecover { self.add(try await directory.unnotifiedRooms()) }
                    if !rooms.isEmpty { self.publish(try await directory.notify(of: rooms)) }
                    for user in away { self.publish(try await directory.notifyUnread(of: user)) }
                    let event = failures.succeeded(at: MonotonicClock.system.milliseconds) {
                        LogEvent(.info, "room changes are published again")
                    }
                    if let event { self.logger.log(event, component: "chat") }
                } catch {
                    let event = failures.failed(at: MonotonicClock.system.milliseconds) {
                        LogEvent(
                            .warning,
                            "room changes could not be published",
                            [("error", String(reflecting: error))]
                        )
                    }
                    if let event { self.logger.log(event, component: "chat") }
                    self.wake {
                        $0.rooms.formUnion(rooms)
                        $0.away.formUnion(away)
                        $0.mustRecover = $0.mustRecover || mustRecover
                    }
                    try? await Task.sleep(for: .seconds(1))
                }
                try? await Task.sleep(for: .milliseconds(Self.pause))
            }
        } onCancel: {
            self.wake { $0.isEnded = true }
        }
    }

    private func sleep() async {
        await withCheckedContinuation { continuation in
            let mustGoOn = self.waiting.withLock { waiting -> Bool in
                guard waiting.rooms.isEmpty, waiting.away.isEmpty, !waiting.mustRecover, !waiting.isEnded else {
                    return true
                }
                waiting.wake = continuation
                return false
            }
            if mustGoOn { continuation.resume() }
        }
    }

    private func publish(_ result: ChatNotifications) {
        for (user, numbers) in result.withdrawn { self.world.send(.chat(.seen(user, numbers))) }
        for publication in result.publications { self.world.send(.publicationRequested(publication)) }
    }
}
