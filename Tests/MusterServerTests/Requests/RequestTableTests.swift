import EventLoop
import Foundation
import MusterTestSupport
import Testing

@testable import MusterCore
@testable import MusterServer
@testable import MusterWire

@Suite struct RequestTableTests {
    /// A request that belongs to no feature.
    private struct Echo: ClientRequest, Encodable {
        typealias Answer = Echo
        static let type = "echo"
        static let order = RequestOrder.concurrent

        let text: String

        init(_ text: String) { self.text = text }

        init(reading fields: JSONFields) throws(FrameError) {
            self.text = try fields.required("text", fields.text("text", .line(1...5)))
        }
    }

    private static let caller = Caller(user: UserID(7), session: SessionID(9), tag: .number(1))

    private static func services(_ logger: Logger = Logger(level: .error)) -> Services {
        Services(
            configuration: ServerConfiguration(),
            clock: .system,
            logger: logger,
            world: LocalWorld(),
            clusters: LocalClusterService()
        )
    }

    /// The outcome of a frame in a table with only `echo`.
    private static func outcome(
        of json: String,
        _ services: Services = Self.services(),
        by handler: @escaping @Sendable (Echo, Caller) async throws -> RequestOutcome<Echo>
    ) async throws -> EncodedOutcome {
        let table = RequestTable([.asynchronous(Echo.self, handler)])
        guard
            case .frame(.request(let tag, let request)) = FrameDecoder(requests: table.catalog).decode(
                copying: Array(json.utf8)
            ), case .asynchronous(let handle) = table.entry(for: request).handling
        else { throw TestFailure("\(json) is no request") }
        #expect(tag == .number(1))
        return await services.outcome(of: request, for: Self.caller, by: handle)
    }

    private static func text(_ outcome: EncodedOutcome) -> String {
        String(decoding: outcome.frame ?? [], as: UTF8.self)
    }

    @Test("a new request needs a type and a handler, and is read, answered and refused like all others")
    func echo() async throws {
        let outcome = try await Self.outcome(of: #"{"type":"echo","id":1,"text":" hi "}"#) { request, _ in
            .answer(request)
        }
        #expect(Self.text(outcome) == #"{"type":"ok","id":1,"text":"hi"}"#)
        #expect(outcome.inputs.isEmpty)
        let table = RequestTable([.asynchronous(Echo.self) { request, _ in .answer(request) }])
        let decoder = FrameDecoder(requests: table.catalog)
        guard
            case .failure(let error) = decoder.decode(copying: Array(#"{"type":"echo","id":1,"text":"too long"}"#.utf8))
        else { throw TestFailure("a field against its rule passed") }
        #expect(error.field == "text")
        #expect(error.tag == .number(1))
    }

    @Test("whatever a handler throws becomes one error frame with the request's id")
    func throwing() async throws {
        let own = try await Self.outcome(of: #"{"type":"echo","id":1,"text":"a"}"#) { _, _ in
            throw FrameError(.conflict, message: "No.", field: "text")
        }
        #expect(Self.text(own).hasPrefix(#"{"type":"error","id":1,"code":"conflict","#))
        let unknown = try await Self.outcome(of: #"{"type":"echo","id":1,"text":"a"}"#) { _, _ in
            throw TestFailure("oops")
        }
        #expect(Self.text(unknown).hasPrefix(#"{"type":"error","id":1,"code":"internal","#))
        #expect(!Self.text(unknown).contains("oops"))
    }

    @Test("what a handler throws unforeseen is logged, unless nobody waits for it any more", arguments: [false, true])
    func unforeseen(isCancelled: Bool) async throws {
        let lines = try await LoggedLines.written(.error) { logger in
            let services = Self.services(logger)
            let request = Task { () async throws -> EncodedOutcome in
                while isCancelled, !Task.isCancelled { await Task.yield() }
                return try await Self.outcome(of: #"{"type":"echo","id":1,"text":"a"}"#, services) { _, _ in
                    throw CancellationError()
                }
            }
            if isCancelled { request.cancel() }
            let answer = Self.text(try await request.value)
            #expect(answer.hasPrefix(#"{"type":"error","id":1,"code":"internal","#))
        }
        #expect(lines.map { $0["request"] } == (isCancelled ? [] : ["echo"]))
    }

    @Test("a request without an id is answered only when it fails")
    func untagged() {
        let silent = Caller(user: UserID(7), session: SessionID(9))
        #expect(EncodedOutcome(RequestOutcome.answer(Echo("a")), for: silent).frame == nil)
        #expect(EncodedOutcome(FrameError(.gone, message: "It is over."), for: silent).frame != nil)
    }

    @Test("one answer to a request goes out, whoever comes first")
    func gate() {
        let gate = AnswerGate()
        #expect(gate.claim())
        #expect(!gate.claim())
    }

    @Test("a table that lists a request twice is a defect")
    func twice() async {
        await #expect(processExitsWith: .failure) {
            _ = RequestTable([
                .immediate(Locate.self) { _, _ in .world([]) }, .immediate(Locate.self) { _, _ in .world([]) },
            ])
        }
    }

    @Test("the table and the published contract list the same requests")
    func contract() throws {
        let operations = try Self.contractOperations()
        let session = ["hello", "ping", "state", "location", "locations", "seen"]
        let requests = RequestTable.standard(Self.services()).entries.map { $0.type.type }
        #expect(Set(requests).count == requests.count)
        #expect(Set(operations.keys) == Set(requests + session))
        for request in requests {
            let replies = operations[request] ?? []
            #expect(replies.contains { $0.hasPrefix("ok") } && replies.contains("error"), "\(request): \(replies)")
        }
    }

    /// The client frames of the contract, with their possible answers.
    private static func contractOperations() throws -> [String: [String]] {
        let file = MusterProcess.checkout.appending(path: "public/asyncapi.json")
        let root = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]
        let operations = root?["operations"] as? [String: [String: Any]] ?? [:]
        func names(_ messages: Any?) -> [String] {
            (messages as? [[String: String]] ?? []).compactMap {
                $0["$ref"]?.split(separator: "/").last.map(String.init)
            }
        }
        var found: [String: [String]] = [:]
        for operation in operations.values where operation["action"] as? String == "receive" {
            let replies = names((operation["reply"] as? [String: Any])?["messages"])
            for message in names(operation["messages"]) { found[message] = replies }
        }
        return found
    }
}
