import MusterCore
import MusterWire

/// The answer to `POST /v1/locations`: the `ack` frame, in which malformed fixes have the reason `bad_fix`.
struct ReportBody: Encodable {
    /// A fix that is not used, or not stored.
    struct Rejection: Encodable {
        /// Absent when the fix had no number.
        var seq: Int64?
        /// The index of a malformed fix in `fixes`; absent when only the comparison with the clock found it malformed.
        var index: Int?
        let reason: String
        /// The malformed field.
        var field: String?
        /// The message of the error, as in an error frame.
        var message: String?
    }

    /// A field that was dropped from an accepted fix.
    struct Dropped: Encodable {
        let seq: Int64
        let field: String
    }

    let type = "ack"
    let seq: Int64
    let rejected: [Rejection]
    /// Absent when no field was dropped.
    let dropped: [Dropped]?

    private enum CodingKeys: CodingKey {
        case type
        case seq
        case rejected
        case dropped
    }

    init(_ outcome: ReportOutcome, malformed: [FrameError]) {
        let stored = outcome.acknowledgement.rejected.map { Rejection(seq: $0.sequence, reason: $0.verdict.rawValue) }
        let unstored = (malformed + outcome.malformed).map { error in
            Rejection(
                seq: error.sequence,
                index: error.index,
                reason: error.code.rawValue,
                field: error.field,
                message: error.message
            )
        }
        let dropped = outcome.acknowledgement.reduced.flatMap { fix in
            fix.dropped.names.map { Dropped(seq: fix.sequence, field: $0) }
        }
        self.seq = outcome.acknowledgement.sequence
        // Fixes without a number come last.
        self.rejected = (stored + unstored).sorted { ($0.seq ?? .max, $0.index ?? 0) < ($1.seq ?? .max, $1.index ?? 0) }
        self.dropped = dropped.isEmpty ? nil : dropped
    }
}
