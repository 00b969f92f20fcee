import Testing

@testable import MusterServer
@testable import MusterWire

@Suite("Requests that wait for an answer")
struct PendingAnswersTests {
    private static let failure = FrameError(.unavailable, message: "not now")
    private static let refusal = FrameError(.notMember, message: "not yours")

    /// The answer to a request, or its error.
    private static func outcome(
        _ pending: PendingAnswers<Int>,
        _ ask: (Int64) -> Void
    ) async -> Result<Int, FrameError> {
        do throws(FrameError) {
            return .success(try await pending.answer(ask))
        } catch {
            return .failure(error)
        }
    }

    @Test(
        "a request gets its answer, or the reason why there is none",
        arguments: [
            (Result<Int, FrameError>.success(4), Result<Int, FrameError>.success(4)),
            (.failure(Self.refusal), .failure(Self.refusal)),
            (nil, .failure(Self.failure)),
        ] as [(Result<Int, FrameError>?, Result<Int, FrameError>)]
    )
    func answer(_ answer: Result<Int, FrameError>?, _ expected: Result<Int, FrameError>) async {
        let pending = PendingAnswers<Int>(limit: 1, failure: Self.failure)
        for _ in 1...2 {
            let outcome = await Self.outcome(pending) { request in
                #expect(pending.count == 1)
                pending.resolve(request, answer)
                // A second answer reaches nobody.
                pending.resolve(request, .success(9))
            }
            #expect(outcome == expected)
            #expect(pending.count == 0)
        }
    }

    @Test("a request without an answer in time fails, and a late answer reaches nobody")
    func timeout() async {
        let pending = PendingAnswers<Int>(limit: 1, timeout: .milliseconds(20), failure: Self.failure)
        var late: Int64 = 0
        #expect(await Self.outcome(pending) { late = $0 } == .failure(Self.failure))
        let next = await Self.outcome(pending) { request in
            pending.resolve(late, .success(1))
            pending.resolve(request, .success(2))
        }
        #expect(next == .success(2))
    }

    @Test("a request above the limit fails at once, and is not sent")
    func limit() async {
        let pending = PendingAnswers<Int>(limit: 1, failure: Self.failure)
        async let first = Self.outcome(pending) { _ in }
        while pending.count == 0 { await Task.yield() }
        let second = await Self.outcome(pending) { _ in Issue.record("the request was sent") }
        #expect(second == .failure(Self.failure))
        pending.resolve(1, .success(1))
        #expect(await first == .success(1))
    }

    @Test("after the end all waiting requests and all later ones fail")
    func end() async {
        let pending = PendingAnswers<Int>(failure: Self.failure)
        let waiting = await Self.outcome(pending) { _ in pending.endAll() }
        #expect(waiting == .failure(Self.failure))
        let later = await Self.outcome(pending) { _ in Issue.record("the request was sent") }
        #expect(later == .failure(Self.failure))
    }
}
