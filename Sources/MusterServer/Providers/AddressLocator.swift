import MusterCore
import Synchronization

/// Estimates the position of a client from its network address; the estimate is never stored.
final class AddressLocator: Sendable {
    private let file: String
    private let logger: Logger
    private let database = Mutex<AddressDatabase?>(nil)

    /// Opens a file.
    ///
    /// If it cannot be read, every position is unknown.
    init(file: String, logger: Logger) {
        self.file = file
        self.logger = logger
        self.reload()
    }

    /// Opens the file again; if it cannot be read, the open one stays in use.
    func reload() {
        do throws(AddressDatabase.Problem) {
            let database = try AddressDatabase(file: self.file)
            self.database.withLock { $0 = database }
            self.logger.info("the database of --geoip is open", ["file": .text(self.file)])
        } catch {
            self.logger.warning(
                "the database of --geoip cannot be used",
                ["file": .text(self.file), "error": .text(error.description)]
            )
        }
    }

    /// The approximate position of an address; nil when it is unknown.
    func guess(_ address: String) -> PositionGuess? { self.database.withLock { $0 }?.guess(address) }
}
