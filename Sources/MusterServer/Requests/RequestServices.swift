import MusterStore
import MusterWire

/// What handlers of requests need of the rest of the server.
protocol RequestServices: Sendable {
    /// How many requests may be with the directory beside each other.
    var requestLimit: ConcurrencyLimit { get }

    /// Puts words about sharing into force and into storage.
    var sharing: SharingKeeper { get }

    /// The directory, from the moment at which the schema is up to date.
    var directory: Directory? { get }

    /// The directory, when it can be asked now.
    ///
    /// - Throws: `unavailable` while storage is away.
    func readyDirectory() throws(FrameError) -> Directory

    /// Says a failure of the directory in the words of the wire, and logs what is no fault of the one who asked.
    func frameError(_ error: DirectoryError) -> FrameError
}
