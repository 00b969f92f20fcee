package import MusterCore

/// The fixes of one `locations` frame or one `POST /v1/locations`, separated into valid and malformed ones.
package struct FixBatch: Sendable, Equatable {
    /// The maximum number of fixes in a batch.
    package static let maximumCount = 200

    /// A fix that cannot be stored.
    ///
    /// The client gets a `bad_fix` error.
    package struct Malformed: Error, Sendable, Equatable {
        /// The index in its batch, from 0.
        package var index: Int = 0
        /// The sequence number of the fix, if it has one.
        package var sequence: Int64?
        /// The problem, in one sentence that names the field.
        package var reason: String
        /// The invalid field; `fixes` if the fix as a whole is invalid.
        package var field: String
    }

    /// The valid fixes, in the order of the batch.
    package var fixes: [Fix]
    /// The malformed fixes, in the order of the batch.
    package var malformed: [Malformed] = []
}
