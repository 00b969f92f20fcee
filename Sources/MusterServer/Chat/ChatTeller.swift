import EventLoop
import MusterCore
import MusterStore
import Synchronization

/// Has people told what they are to hear of rooms, behind the writer, a few rooms at a time.
final class ChatTeller: Sendable {
    private struct Waiting {
        var rooms: Set<RoomID> = []
        var away: Set<UserID> = []
        /// Whether there may be rooms that nobody named: those that an earlier process left, at first.
        var mustRecover = true
        var wake: CheckedContinuation<Void, Never>?
        var isEnded = false
    }

    /// What a pass costs is the less for each message, the more came before it: so many milliseconds are between two.
    private static let pause: Int64 = 100
    /// How many rooms one pass looks at.
    private static let roomsAtATime = 64

    private let world: any WorldLink
    private let logger: Logger
    private let waiting = Mutex(Waiting())

    init(world: any WorldLink, logger: Logger) {
        self.world = world
        self.logger = logger
    }

    /// Has a look at rooms in which something changed.
    func add(_ rooms: some Sequence<RoomID>) { self.wake { $0.rooms.formUnion(rooms) } }

    /// Has a look at what a person who went away has not read.
    func add(away user: UserID) { self.wake { $0.away.insert(user) } }

    /// Has a look at all rooms that people were not told of.
    func recover() { self.wake { $0.mustRecover = true } }

    private func wake(_ change: (inout Waiting) -> Void) {
        let sleeper = self.waiting.withLock { waiting -> CheckedContinuation<Void, Never>? in
            change(&waiting)
            return waiting.wake.take()
        }
        sleeper?.resume()
    }

    /// Begins with what an earlier process left, and goes on until the task is cancelled.
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
                do throws(DirectoryError) {
                    if mustRecover { self.add(try await directory.untoldRooms()) }
                    if !rooms.isEmpty { self.publish(try await directory.tell(of: rooms)) }
                    for user in away { self.publish(try await directory.tellUnread(of: user)) }
                    let event = failures.succeeded(at: MonotonicClock.system.milliseconds) {
                        LogEvent(.info, "rooms are told of again")
                    }
                    if let event { self.logger.log(event, component: "chat") }
                } catch {
                    let event = failures.failed(at: MonotonicClock.system.milliseconds) {
                        LogEvent(.warning, "rooms could not be told of", [("error", error.debugDescription)])
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

    private func publish(_ telling: ChatTelling) {
        for (user, numbers) in telling.withdrawn { self.world.send(.chat(.seen(user, numbers))) }
        for publication in telling.publications { self.world.send(.publicationRequested(publication)) }
    }
}
