import MusterStore
import MusterWire

/// What handlers of requests need of the rest of the server.
protocol RequestServices: Sendable {
    /// How many requests may be with the directory beside each other.
    var requestLimit: ConcurrencyLimit { get }

    /// The directory, when it can be asked now.
    ///
    /// - Throws: `unavailable` while storage is away.
    func readyDirectory() throws(FrameError) -> Directory

    /// Says a failure of the directory in the words of the wire, and logs what is no fault of the one who asked.
    func frameError(_ error: DirectoryError) -> FrameError
}
