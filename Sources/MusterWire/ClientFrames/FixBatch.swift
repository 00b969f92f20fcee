package import MusterCore

/// The fixes of one `locations` frame or one `POST /v1/locations`, separated into valid and malformed ones.
package struct FixBatch: Sendable, Equatable {
    /// The maximum number of fixes in a batch.
    package static let maximumCount = 200

    /// The valid fixes, in the order of the batch.
    package var fixes: [Fix]
    /// The errors of the malformed fixes, in the order of the batch.
    package var malformed: [FrameError] = []
}
