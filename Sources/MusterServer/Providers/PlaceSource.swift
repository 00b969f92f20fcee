import MusterCore
import OutboundHTTP

/// The protocol of a kind of server that provides places.
protocol PlaceSource: Sendable {
    /// The name of the source in `sources`.
    var name: String { get }
    /// The attributions to show with its places.
    var attribution: [String] { get }
    /// Whether an answer older than a day may be shown when there is no newer one.
    var mayBeStale: Bool { get }

    /// The request for the places of a category.
    func request(_ question: ProviderQuestion) -> OutboundRequest

    /// The places in an answer, without those that have no name or no position.
    func places(_ response: OutboundResponse, _ category: PlaceCategory) throws(UnreadableAnswer) -> [ProvidedPlace]
}
