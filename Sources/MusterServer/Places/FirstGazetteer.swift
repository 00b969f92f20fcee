import EventLoop
import MusterCore
import Postgres
import Synchronization

/// Imports the cities that are installed on the machine.
///
/// It runs when a server starts on a database that lacks them, or that contains them with keys of another version. A
/// failed import is retried with growing pauses.
final class FirstGazetteer: Sendable {
    private let folder: String?
    private let clock: MonotonicClock
    private let logger: Logger
    private let interrupt = WakeSignal()
    private let task = Mutex<Task<Void, Never>?>(nil)

    /// Creates an importer of the cities in a folder; nil for no import.
    init(folder: String?, clock: MonotonicClock, logger: Logger) {
        self.folder = folder
        self.clock = clock
        self.logger = logger
    }

    /// Starts the check and the import in the background.
    func begin(in database: String, directory: Directory) {
        let task = Task { await self.run(database, directory) }
        self.task.withLock { $0 = task }
    }

    /// Cancels a running import, which then leaves no changes.
    func end() async {
        self.interrupt.raise()
        let task = self.task.withLock { $0.take() }
        task?.cancel()
        await task?.value
    }

    private func run(_ database: String, _ directory: Directory) async {
        var backoff = Backoff(shortest: 2_000, longest: 600_000)
        var isFirst = true
        while !Task.isCancelled {
            if await self.isDone(database, directory, isFirst: isFirst) { return }
            isFirst = false
            try? await Task.sleep(for: .milliseconds(backoff.fail()))
        }
    }

    /// Checks the database, and imports missing cities.
    ///
    /// - Returns: false when this failed and may succeed later.
    private func isDone(_ database: String, _ directory: Directory, isFirst: Bool) async -> Bool {
        let gazetteers: [Gazetteer]
        do {
            gazetteers = try await directory.gazetteers()
        } catch {
            if isFirst {
                self.logger.warning(
                    "the list of gazetteers could not be read",
                    ["error": .text(String(reflecting: error))]
                )
            }
            return false
        }
        if isFirst { self.warn(of: gazetteers) }
        guard let folder = self.folder else { return true }
        guard let file = PlaceFile.installed(in: folder) else {
            if gazetteers.isEmpty {
                self.logger.warning(
                    "no gazetteer is imported: install libtimezonemap-data, or run muster import places FILE",
                    ["folder": .text(folder)]
                )
            }
            return true
        }
        // Imported in addition to other gazetteers: an extract of a city has neither the world's cities nor time zones.
        // Other gazetteers take precedence where they have the same data.
        let own = gazetteers.first { $0.source == file.source }
        guard own?.keyVersion != PlaceKey.version else { return true }
        return await self.importCities(file, folder, database)
    }

    private func warn(of gazetteers: [Gazetteer]) {
        for gazetteer in gazetteers where gazetteer.keyVersion != PlaceKey.version {
            self.logger.warning(
                "a gazetteer was imported by another version; import it again with muster import places FILE",
                ["source": .text(gazetteer.source)]
            )
        }
    }

    private func importCities(_ file: PlaceFile, _ folder: String, _ database: String) async -> Bool {
        let start = self.clock.milliseconds
        let now = Timestamp(milliseconds: self.clock.wallMilliseconds)
        let interrupt = self.interrupt
        do throws(PlaceImportError) {
            let report = try await BlockingWork.run(named: "gazetteer") { () throws(PlaceImportError) in
                let session = PostgresSession(
                    connectionString: database,
                    timeout: .seconds(600),
                    interrupt: interrupt
                )
                do throws(PostgresError) { try session.connect() } catch { throw PlaceImportError(error) }
                defer { session.close() }
                var work = PlaceImport(file, into: session, folders: [folder])
                return try work.run(at: now)
            }
            self.logger.info(
                "gazetteer imported",
                [
                    "source": .text(report.source), "places": .number(Int64(report.places)),
                    "names": .number(Int64(report.names)), "ms": .number(self.clock.milliseconds - start),
                ]
            )
            return true
        } catch {
            if !Task.isCancelled {
                self.logger.warning("the gazetteer could not be imported", ["error": .text(error.message)])
            }
            return false
        }
    }
}
