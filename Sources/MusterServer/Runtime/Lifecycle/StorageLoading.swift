import EventLoop
import MusterCore
import Synchronization

/// Loads data from storage when storage is opened, and keeps that data up to date.
struct StorageLoading: Sendable {
    let services: Services
    let storage: ServerNode.Storage
    let logger: Logger

    /// Reads the data that sessions depend on, unless another server still writes to the database.
    ///
    /// Positions that a crash left behind come first; then the names of places, so that no gathering lacks its name.
    ///
    /// - Parameter failures: logs failed reads.
    /// - Returns: false when the data could not be read; no session is admitted before that.
    func load(_ failures: inout FailureLog) async -> Bool {
        guard self.storage.journal.state == .ready else { return false }
        do {
            let count = try await self.storage.directory.recoverPositions()
            if count > 0 { self.logger.info("positions recovered", ["count": .number(Int64(count))]) }
            var last: SpotID?
            repeat {
                let places = try await self.storage.directory.namedPlaces(after: last)
                if !places.isEmpty { self.services.world.send(.spots(.added(places))) }
                last = places.last?.spot
            } while last != nil
            self.services.node.isLoaded.store(true, ordering: .releasing)
            return true
        } catch {
            let event = failures.failed(at: self.services.node.clock.milliseconds) {
                LogEvent(.warning, "positions and spots could not be loaded", [("error", String(reflecting: error))])
            }
            if let event { self.logger.log(event, component: "storage") }
            return false
        }
    }

    /// Repeats `load` until the journal owns the database and the read succeeds.
    func loadWhenReady(_ failures: FailureLog) async {
        var failures = failures
        repeat {
            try? await Task.sleep(for: .milliseconds(250))
        } while await !self.load(&failures) && !Task.isCancelled
    }

    /// Schedules a comparison of cached rows, whenever the journal has reconnected to the database.
    ///
    /// Other servers may have changed rows meanwhile.
    func readAgainAfterOutages() async {
        let journal = self.storage.journal
        var known = journal.metrics.reconnects
        while !Task.isCancelled {
            try? await Task.sleep(for: .seconds(1))
            let now = journal.metrics.reconnects
            if now != known { self.storage.changes.compareAll() }
            known = now
        }
    }

    /// Loads the groups of open gatherings and pending arrivals, so that these continue, once no other server writes to
    /// the database.
    func loadOpenGatherings() async {
        do {
            let directory = self.storage.directory
            let groups = Set(try await directory.openGatherings() + (try await directory.pendingArrivals()))
            for group in groups.sorted() {
                self.services.world.send(.groupLoaded(try await directory.loadGroup(group)))
            }
        } catch {
            self.logger.warning(
                "open gatherings and pending arrivals could not be loaded",
                ["error": .text(String(reflecting: error))]
            )
        }
    }
}
