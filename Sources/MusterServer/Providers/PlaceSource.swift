import MusterCore
import MusterStore
import OutboundHTTP

/// The language of a kind of server that knows places.
protocol PlaceSource: Sendable {
    /// What it is called in `sources`.
    var name: String { get }
    /// Whom to name beside its places.
    var attribution: [String] { get }
    /// Whether an answer may be shown after its day, when there is no newer one.
    var mayBeStale: Bool { get }

    /// Asks for the places of a category.
    func request(_ question: ProviderQuestion) -> OutboundRequest

    /// The places of an answer; nameless ones, and those without a position, are left out.
    func places(_ response: OutboundResponse, _ category: PlaceCategory) throws(UnreadableAnswer) -> [ProvidedPlace]
}
