import MusterCore
import MusterStore
import MusterWire

/// What handlers of requests need of the rest of the server.
protocol RequestServices: Sendable {
    /// How many requests may be with the directory beside each other.
    var requestLimit: ConcurrencyLimit<UserID> { get }

    /// How many barriers may be.
    var barrierLimit: ConcurrencyLimit<UserID> { get }

    /// Puts words about sharing into force and into storage.
    var sharing: SharingKeeper { get }

    /// Shows spots on maps.
    var spotMaps: SpotMaps { get }

    /// Which events there are.
    var events: EventBoard { get }

    /// Which pins are shown.
    var pins: PinBoard { get }

    /// Where rooms are written to.
    var chat: ChatDesk { get }

    /// Looks places up.
    var geocoding: Geocoding { get }

    /// Makes plans.
    var planning: PlanSuggestions { get }

    /// Whom the server asks beyond itself.
    var providers: Providers { get }

    /// The directory, from the moment at which the schema is up to date.
    var directory: Directory? { get }

    /// The directory, when it can be asked now.
    ///
    /// - Throws: `unavailable` while storage is away.
    func readyDirectory() throws(FrameError) -> Directory

    /// Says a failure of the directory in the words of the wire, and logs what is no fault of the one who asked.
    func frameError(_ error: DirectoryError) -> FrameError
}
