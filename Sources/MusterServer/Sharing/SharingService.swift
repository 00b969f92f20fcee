import EventLoop
import MusterCore
import MusterWire
import Synchronization

/// Applies users' changes of sharing, and stores them.
///
/// Reduced visibility applies at once, and stays in force even if storage fails. A change that could not be stored is
/// retried until it is stored, or until a later change of that user replaces it.
final class SharingService: Sendable {
    private let world: any WorldLink
    private let clock: MonotonicClock
    /// Limits how often the changes above the rate limit are stored.
    private let pace = RateMeter<SharingChange.Subject>(rate: 1, burst: 1)
    /// Changes to store, by the settings that they replace; nil while nothing stores them.
    private let unstored = Mutex<[SharingChange.Subject: SharingChange]?>(nil)

    /// Creates a service without pending changes.
    init(world: any WorldLink, clock: MonotonicClock) {
        self.world = world
        self.clock = clock
    }

    /// Applies changes of one user for one group, or for every group, and stores them together.
    ///
    /// Changes above the rate limit are stored once a second; until then, the session's later frames wait.
    ///
    /// - Throws: storage's error. Reduced visibility applies nevertheless when storage is unavailable.
    /// - Returns: the inputs that the world must receive before the answer.
    func keep(
        _ changes: [SharingChange],
        isTooOften: Bool,
        _ services: any RequestServices
    ) async throws -> [WorldInput] {
        let narrow = changes.filter(\.isNarrow)
        for change in narrow { self.world.send(.sharingNarrowed(change)) }
        if isTooOften, let change = changes.first { await self.awaitTurn(of: change.subject) }
        do {
            return try await self.store(changes, services)
        } catch {
            guard !narrow.isEmpty else { throw error }
            let error = services.frameError(error)
            guard error.mayPass else {
                for change in narrow { self.world.send(.sharingResolved(change)) }
                throw error
            }
            for change in narrow { self.storeLater(change, services) }
            var unstored = FrameError.storageAway
            unstored.message = "The narrower sharing is in effect but not stored yet; try again soon."
            throw unstored
        }
    }

    /// Waits until a change above the rate limit may be stored.
    private func awaitTurn(of subject: SharingChange.Subject) async {
        while !Task.isCancelled {
            do throws(FrameError) {
                return try self.pace.charge(1, to: subject, now: self.clock.milliseconds)
            } catch {
                try? await Task.sleep(for: .milliseconds(error.retryAfter ?? 1_000))
            }
        }
    }

    private func store(
        _ changes: [SharingChange],
        _ services: any RequestServices
    ) async throws -> [WorldInput] {
        let directory = try services.readyDirectory()
        let groups = try await directory.setSharing(changes)
        // Sent after the snapshots of storage, because the changes limit the older snapshots.
        return groups.map { .groupChanged($0, answer: nil) } + changes.map { .sharingResolved($0) }
    }

    private func storeLater(_ change: SharingChange, _ services: any RequestServices) {
        let isFirst = self.unstored.withLock { unstored in
            let isFirst = unstored == nil
            unstored = (unstored ?? [:]).merging([change.subject: change]) { $0.id > $1.id ? $0 : $1 }
            return isFirst
        }
        if isFirst { Task { await self.storeAll(services) } }
    }

    /// Stores pending changes in the order of the requests, until none is left.
    private func storeAll(_ services: any RequestServices) async {
        var backoff = Backoff(shortest: 250, longest: 5000)
        while true {
            try? await Task.sleep(for: .milliseconds(backoff.fail()))
            let changes = self.unstored.withLock { $0?.values.sorted { $0.id < $1.id } ?? [] }
            for change in changes {
                var inputs: [WorldInput]
                do {
                    inputs = try await self.store([change], services)
                    backoff.succeed()
                } catch {
                    // A change that must wait does not delay the others.
                    if services.frameError(error).mayPass { continue }
                    inputs = [.sharingResolved(change)]
                }
                self.world.send(contentsOf: &inputs)
                self.unstored.withLock { unstored in
                    if unstored?[change.subject] == change { unstored?[change.subject] = nil }
                }
            }
            let isDone = self.unstored.withLock { unstored in
                if unstored?.isEmpty == true { unstored = nil }
                return unstored == nil
            }
            if isDone { return }
        }
    }
}

extension FrameError {
    /// Whether a retry may succeed.
    fileprivate var mayPass: Bool { self.code == .unavailable || self.code == .internal }
}
