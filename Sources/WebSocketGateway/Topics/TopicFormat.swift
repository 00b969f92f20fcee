/// Joins a topic's encoded fragments into the frames that clients read.
///
/// Called on a shard's thread, at most once for each topic, version and turn; must depend on its arguments alone.
/// What is appended is one frame's payload: UTF-8, without any WebSocket header.
package protocol TopicFormat: Sendable {
    /// Appends the frame for a session that has nothing.
    func appendFull(_ topic: Topic, to frame: inout [UInt8])

    /// Appends the answer to a resume: the shape of a full frame, but only with what is newer than `version`.
    func appendDifference(_ topic: Topic, since version: UInt64, to frame: inout [UInt8])

    /// Appends a live update with what is newer than `version`.
    ///
    /// - Returns: false, with nothing appended, when no entry or tombstone is newer.
    func appendUpdate(_ topic: Topic, since version: UInt64, to frame: inout [UInt8]) -> Bool
}
