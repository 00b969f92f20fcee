import MusterCore
import MusterWire

/// The services that the handlers of all features use.
///
/// Services of one feature are passed to its list of requests.
protocol RequestServices: Sendable {
    /// Limits the requests that use the directory concurrently.
    var requestLimit: ConcurrencyLimit<UserID> { get }

    /// Limits the barriers that use the directory concurrently.
    var barrierLimit: ConcurrencyLimit<UserID> { get }

    /// The directory; nil until the schema is up to date.
    var directory: Directory? { get }

    /// The directory, if it is available now.
    ///
    /// - Throws: `unavailable` while storage is unavailable.
    func readyDirectory() throws(FrameError) -> Directory

    /// Converts an error to an error of the wire, and logs it unless the caller caused it.
    func frameError(_ error: any Error) -> FrameError
}
