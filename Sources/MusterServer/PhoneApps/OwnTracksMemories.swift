import MusterCore
import Synchronization

/// What was sent to each phone with OwnTracks; bounded.
final class OwnTracksMemories: Sendable {
    private let limit: Int
    private let state = Mutex<[DeviceID: OwnTracksMemory]>([:])

    /// Creates an empty table for at most `limit` phones.
    init(limit: Int = 20_000) { self.limit = limit }

    /// Passes the memory of a phone to `body`.
    func update<Value: Sendable>(_ device: DeviceID, _ body: (inout OwnTracksMemory) -> Value) -> Value {
        self.state.withLock { memories in
            if memories.count >= self.limit, memories[device] == nil {
                // Those phones only get again what they have.
                for key in Array(memories.keys.prefix(max(1, self.limit / 10))) { memories[key] = nil }
            }
            return body(&memories[device, default: OwnTracksMemory()])
        }
    }
}
