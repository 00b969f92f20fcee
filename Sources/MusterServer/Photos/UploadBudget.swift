import MusterCore
import MusterWire
import Synchronization

/// Bounds the memory of concurrent uploads: the bytes in total, and the number of uploads of one user.
///
/// An upload occupies only the bytes that it has sent, so many slow uploads do not exclude others.
final class UploadBudget: Sendable {
    private struct State {
        var bytes = 0
        var uploads: [UserID: Int] = [:]
    }

    private let limit: Int
    private let uploadsPerPerson: Int
    private let state = Mutex(State())

    /// Creates a budget of `limit` bytes, and of `uploadsPerPerson` uploads for each user.
    init(limit: Int = 134_217_728, uploadsPerPerson: Int = 4) {
        self.limit = limit
        self.uploadsPerPerson = uploadsPerPerson
    }

    /// The bytes that uploads occupy now.
    var bytes: Int { self.state.withLock { $0.bytes } }

    /// Begins an upload.
    ///
    /// - Throws: `rateLimited` when the user has too many concurrent uploads.
    func begin(by user: UserID) throws(FrameError) -> Upload {
        let isAccepted = self.state.withLock { state in
            guard state.uploads[user, default: 0] < self.uploadsPerPerson else { return false }
            state.uploads[user, default: 0] += 1
            return true
        }
        guard isAccepted else {
            throw FrameError(
                .rateLimited,
                message: "Too many requests in a short time; wait before the next one.",
                retryAfter: 2000
            )
        }
        return Upload(budget: self, user: user)
    }

    /// One upload, which releases its bytes when it ends.
    final class Upload: Sendable {
        private let budget: UploadBudget
        private let user: UserID
        private let bytes = Mutex(0)

        fileprivate init(budget: UploadBudget, user: UserID) {
            self.budget = budget
            self.user = user
        }

        /// Reserves more bytes.
        ///
        /// - Throws: `unavailable` when the budget is exhausted.
        func reserve(_ count: Int) throws(FrameError) {
            let isAccepted = self.budget.state.withLock { state in
                guard state.bytes + count <= self.budget.limit else { return false }
                state.bytes += count
                return true
            }
            guard isAccepted else {
                throw FrameError(
                    .unavailable,
                    message: "Too many uploads are in progress; try again soon.",
                    retryAfter: 2000
                )
            }
            self.bytes.withLock { $0 += count }
        }

        /// Releases everything.
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
