import MusterCore

/// The answer to `POST /v1/locations`: the `ack` frame, in which malformed fixes have the reason `bad_fix`.
struct ReportBody: Encodable {
    struct Rejection: Encodable {
        let seq: Int64
        let reason: String
    }

    let type = "ack"
    let seq: Int64
    let rejected: [Rejection]

    private enum CodingKeys: CodingKey {
        case type
        case seq
        case rejected
    }

    init(_ outcome: ReportOutcome, malformed: [Int64]) {
        self.seq = outcome.acknowledgement.sequence
        let stored = outcome.acknowledgement.rejected.map { Rejection(seq: $0.sequence, reason: $0.verdict.rawValue) }
        let unstored = (malformed + outcome.malformed).map { Rejection(seq: $0, reason: "bad_fix") }
        self.rejected = (stored + unstored).sorted { $0.seq < $1.seq }
    }
}
