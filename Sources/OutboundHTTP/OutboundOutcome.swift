/// How a request ended, as metrics count it.
package enum OutboundOutcome: Sendable, Hashable {
    /// With a status from 200 to 299.
    case ok
    /// With another status.
    case status
    /// Without an answer.
    case failed(OutboundError.Code)

    /// All of them.
    package static let all = [Self.ok, .status] + OutboundError.Code.allCases.map { .failed($0) }

    /// The label of metrics.
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
