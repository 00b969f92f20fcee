import MusterCore
import MusterStore
import MusterWire

/// What handlers of all features need of the rest of the server; what those of one need, its list of requests is given.
protocol RequestServices: Sendable {
    /// How many requests may be with the directory beside each other.
    var requestLimit: ConcurrencyLimit<UserID> { get }

    /// How many barriers may be.
    var barrierLimit: ConcurrencyLimit<UserID> { get }

    /// The directory, from the moment at which the schema is up to date.
    var directory: Directory? { get }

    /// The directory, when it can be asked now.
    ///
    /// - Throws: `unavailable` while storage is away.
    func readyDirectory() throws(FrameError) -> Directory

    /// Says a failure of the directory in the words of the wire, and logs what is no fault of the one who asked.
    func frameError(_ error: DirectoryError) -> FrameError
}
