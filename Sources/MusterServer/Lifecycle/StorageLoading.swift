import MusterCore
import MusterStore

/// What is read from storage when it is opened, and kept as it is there.
struct StorageLoading: Sendable {
    let services: Services
    let storage: ServerNode.Storage
    let logger: Logger

    /// Lets nobody be let in by a position that a crash left behind.
    func recoverPositions() async {
        do throws(DirectoryError) {
            let count = try await self.storage.directory.recoverPositions()
            if count > 0 { self.logger.info("positions recovered", ["count": .number(Int64(count))]) }
        } catch {
            self.logger.warning("positions could not be recovered", ["error": .text(error.debugDescription)])
        }
    }

    /// Tells the world what places are called, unless another server may still add spots to the database.
    ///
    /// - Returns: false when they could not be read.
    func loadSpots() async -> Bool {
        guard self.storage.journal.state == .ready else { return false }
        do throws(DirectoryError) {
            var last: SpotID?
            repeat {
                let places = try await self.storage.directory.namedPlaces(after: last)
                if !places.isEmpty { self.services.world.send(.spots(.added(places))) }
                last = places.last?.spot
            } while last != nil
            return true
        } catch {
            self.logger.warning("spots could not be loaded", ["error": .text(error.debugDescription)])
            return false
        }
    }

    /// Does so as soon as the journal has the database.
    func loadSpotsWhenReady() async {
        repeat {
            try? await Task.sleep(for: .milliseconds(250))
        } while await !self.loadSpots() && !Task.isCancelled
    }

    /// Keeps the maps showing the spots that storage has.
    func keepSpotsOnMaps() async {
        let (services, logger) = (self.services, self.logger)
        await services.spotMaps.keepLoaded(
            from: { services.node.readyStorage },
            failed: { error in
                logger.warning("spots could not be loaded for maps", ["error": .text(error.debugDescription)])
            }
        )
    }

    /// Has maps read anew whenever storage was away, because others may have changed rows meanwhile.
    func reloadMapsAfterOutages() async {
        let journal = self.storage.journal
        var known = journal.metrics.reconnects
        while !Task.isCancelled {
            try? await Task.sleep(for: .seconds(1))
            let now = journal.metrics.reconnects
            if now != known { self.services.spotMaps.reload() }
            known = now
        }
    }

    /// Loads the groups of open gatherings, so that they go on.
    func loadOpenGatherings() async {
        do throws(DirectoryError) {
            for group in try await self.storage.directory.openGatherings() {
                self.services.world.send(.groupLoaded(try await self.storage.directory.loadGroup(group)))
            }
        } catch {
            self.logger.warning("open gatherings could not be loaded", ["error": .text(error.debugDescription)])
        }
    }
}
