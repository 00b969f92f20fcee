import MusterCore
import MusterWire
import Synchronization

/// Bounds the memory that uploads under way take: so many bytes in all, and so many uploads of one person.
///
/// A client that sends slowly takes what it has sent, so that many of them keep nobody out.
final class UploadBudget: Sendable {
    private struct State {
        var bytes = 0
        var uploads: [UserID: Int] = [:]
    }

    private let limit: Int
    private let uploadsPerPerson: Int
    private let state = Mutex(State())

    /// Has room for `limit` bytes, and `uploadsPerPerson` uploads of each person.
    init(limit: Int = 134_217_728, uploadsPerPerson: Int = 4) {
        self.limit = limit
        self.uploadsPerPerson = uploadsPerPerson
    }

    /// Bytes that uploads take now.
    var bytes: Int { self.state.withLock { $0.bytes } }

    /// Begins an upload.
    ///
    /// - Throws: `rateLimited` when the person uploads too much at once.
    func begin(by user: UserID) throws(FrameError) -> Upload {
        let isAccepted = self.state.withLock { state in
            guard state.uploads[user, default: 0] < self.uploadsPerPerson else { return false }
            state.uploads[user, default: 0] += 1
            return true
        }
        guard isAccepted else {
            throw FrameError(.rateLimited, message: "That was too much at once; wait a moment.", retryAfter: 2000)
        }
        return Upload(budget: self, user: user)
    }

    /// One upload, which gives back what it has taken when it ends.
    final class Upload: Sendable {
        private let budget: UploadBudget
        private let user: UserID
        private let bytes = Mutex(0)

        fileprivate init(budget: UploadBudget, user: UserID) {
            self.budget = budget
            self.user = user
        }

        /// Takes room for more bytes.
        ///
        /// - Throws: `unavailable` when there is none.
        func reserve(_ count: Int) throws(FrameError) {
            let isAccepted = self.budget.state.withLock { state in
                guard state.bytes + count <= self.budget.limit else { return false }
                state.bytes += count
                return true
            }
            guard isAccepted else {
                throw FrameError(.unavailable, message: "Too many uploads are under way.", retryAfter: 2000)
            }
            self.bytes.withLock { $0 += count }
        }

        /// Gives everything back.
        func end() {
            let bytes = self.bytes.withLock { bytes in
                defer { bytes = 0 }
                return bytes
            }
            self.budget.state.withLock { state in
                state.bytes -= bytes
                state.uploads[self.user, default: 1] -= 1
                if state.uploads[self.user] == 0 { state.uploads[self.user] = nil }
            }
        }
    }
}
