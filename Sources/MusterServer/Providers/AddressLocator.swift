import MusterCore
import Synchronization

/// Guesses where somebody is by their network address; what it says is kept nowhere.
final class AddressLocator: Sendable {
    private let file: String
    private let logger: Logger
    private let database = Mutex<AddressDatabase?>(nil)

    /// Opens a file; without one that can be read nobody is anywhere.
    init(file: String, logger: Logger) {
        self.file = file
        self.logger = logger
        self.reload()
    }

    /// Opens the file again; one that cannot be read leaves the one that is open.
    func reload() {
        do throws(AddressDatabase.Problem) {
            let database = try AddressDatabase(file: self.file)
            self.database.withLock { $0 = database }
            self.logger.info("the database of network addresses is open", ["file": .text(self.file)])
        } catch {
            self.logger.warning(
                "the database of network addresses cannot be used",
                ["file": .text(self.file), "error": .text(error.description)]
            )
        }
    }

    /// About where an address is; nil when nobody knows.
    func guess(_ address: String) -> PositionGuess? { self.database.withLock { $0 }?.guess(address) }
}
