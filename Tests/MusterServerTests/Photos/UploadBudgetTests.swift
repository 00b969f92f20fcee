import MusterWire
import Testing

@testable import MusterCore
@testable import MusterServer

@Suite("The memory of uploads") struct UploadBudgetTests {
    private func code(_ body: () throws(FrameError) -> Void) -> ErrorCode? {
        do throws(FrameError) {
            try body()
            return nil
        } catch {
            return error.code
        }
    }

    @Test("is bounded in all, and given back by each upload, also by one that was refused")
    func bytes() throws {
        let budget = UploadBudget(limit: 100, uploadsPerPerson: 4)
        let (first, second) = (try budget.begin(by: UserID(1)), try budget.begin(by: UserID(2)))
        try first.reserve(60)
        try second.reserve(40)
        #expect(self.code { () throws(FrameError) in try second.reserve(1) } == .unavailable)
        second.end()
        try first.reserve(40)
        #expect(budget.bytes == 100)
        first.end()
        #expect(budget.bytes == 0)
    }

    @Test("is not one person's alone")
    func people() throws {
        let budget = UploadBudget(limit: 100, uploadsPerPerson: 2)
        let uploads = try (0..<2).map { _ in try budget.begin(by: UserID(1)) }
        #expect(self.code { () throws(FrameError) in _ = try budget.begin(by: UserID(1)) } == .rateLimited)
        _ = try budget.begin(by: UserID(2))
        uploads[0].end()
        _ = try budget.begin(by: UserID(1))
    }
}
