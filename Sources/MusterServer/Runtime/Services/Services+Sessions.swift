import EventLoop
import MusterCore
import MusterWire
import Postgres
import WebSocketGateway

extension Services: SessionServices {
    var fixRate: Double { self.node.configuration.fixRate }
    var fixBurst: Double { self.node.configuration.fixBurst }
    var retention: Int64 { self.node.configuration.retention }
    var wallMilliseconds: Int64 { self.node.clock.wallMilliseconds }

    var unreadiness: String? { self.node.unreadiness }
    var health: HTTPResponse { .health(of: self.node) }

    func source(of topic: TopicID) -> any TopicSource {
        TileTopic.isTile(topic) ? self.clusters : self.world
    }

    func admit(_ hello: Hello) async throws(FrameError) -> Admission {
        do {
            let directory = try self.node.readyDirectory()
            let admission = try await directory.hello(token: hello.token, device: hello.device)
            self.node.noteSuccess()
            return admission
        } catch {
            throw self.node.frameError(error)
        }
    }

    func linkBase(host: String?) -> String { self.node.linkBase(host: host) }

    func deliver(_ message: SessionApplication.Message, to connection: ConnectionID) {
        self.node.gateway?.deliver(message, to: connection)
    }

    func respond(_ response: HTTPResponse, to request: RequestID) { self.node.gateway?.respond(request, response) }

    func apply(_ changes: [Change], then inputs: () -> [WorldInput]) async {
        await self.router.apply(changes, then: inputs)
    }

    func requestTookTooLong(_ request: any ClientRequest.Type) {
        guard self.node.requestLines.admits("slow \(request.type)") else { return }
        self.node.logger.warning("a request took too long", ["request": .text(request.type)])
    }

    func outcome(
        of request: any ClientRequest,
        for caller: Caller,
        by handle: @Sendable (any ClientRequest, Caller) async throws -> EncodedOutcome
    ) async -> EncodedOutcome {
        do {
            return try await handle(request, caller)
        } catch let error where error is FrameError || error is PostgresError {
            return EncodedOutcome(self.node.frameError(error), for: caller)
        } catch {
            // Nobody foresaw it, so it has a line of its own, which failures of storage do not hide.
            let request = type(of: request).type
            if !Task.isCancelled, self.node.requestLines.admits("\(request) \(error)") {
                self.node.logger.error("a request failed", ["request": .text(request), "error": .text("\(error)")])
            }
            return EncodedOutcome(FrameError(error), for: caller)
        }
    }
}
