package import MusterCore

/// The fixes of one `locations` frame or one `POST /v1/locations`, sorted into good and malformed.
package struct FixBatch: Sendable, Equatable {
    /// The most fixes that a batch may hold.
    package static let maximumCount = 200

    /// A fix that cannot be stored; its client is answered `bad_fix`.
    package struct Malformed: Error, Sendable, Equatable {
        /// Where it stood in its batch, from 0.
        package var index: Int
        /// The number of the fix, when it had one.
        package var sequence: Int64?
        /// What is wrong with it, in one sentence that names the field.
        package var reason: String
        /// The field that is wrong; `fixes` when it is the fix as a whole.
        package var field: String

        /// Describes a malformed fix.
        package init(index: Int = 0, sequence: Int64?, reason: String, field: String) {
            self.index = index
            self.sequence = sequence
            self.reason = reason
            self.field = field
        }
    }

    /// The good ones, in the order in which they came.
    package var fixes: [Fix]
    /// The others, likewise.
    package var malformed: [Malformed]

    /// Creates a batch.
    package init(fixes: [Fix], malformed: [Malformed] = []) {
        self.fixes = fixes
        self.malformed = malformed
    }
}
