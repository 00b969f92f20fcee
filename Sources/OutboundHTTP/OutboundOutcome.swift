/// The outcome of a request, as metrics count it.
package enum OutboundOutcome: Sendable, Hashable {
    /// A response with a status from 200 to 299.
    case ok
    /// A response with another status.
    case status
    /// No response.
    case failed(OutboundError.Code)

    /// All outcomes.
    package static let all = [Self.ok, .status] + OutboundError.Code.allCases.map { .failed($0) }

    /// The label in metrics.
    package var label: String {
        switch self {
        case .ok: "ok"
        case .status: "status"
        case .failed(let code): code.rawValue
        }
    }

    init(_ result: Result<OutboundResponse, OutboundError>) {
        switch result {
        case .success(let response): self = (200...299).contains(response.status) ? .ok : .status
        case .failure(let error): self = .failed(error.code)
        }
    }
}
