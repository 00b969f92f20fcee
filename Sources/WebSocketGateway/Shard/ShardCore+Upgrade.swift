import CLibWebSockets
import Synchronization

extension ShardCore {
    /// Decides whether a request may become a WebSocket.
    ///
    /// A refusal is answered with its status and closes the connection.
    func confirmUpgrade(_ handle: SocketHandle, _ socket: Socket) -> Int32 {
        socket.requests &+= 1
        // In this version of the library, the callback's own argument is freed too early; the header is not.
        guard handle.header(WSI_TOKEN_UPGRADE)?.lowercased() == "websocket" else {
            self.refuse(.problem(400, code: "bad_request", detail: "The only supported Upgrade is websocket."), handle)
            return -1
        }
        guard let reason = self.refusalReason(handle) else { return 0 }
        self.counters.refused(reason)
        self.refuse(reason.response, handle)
        return -1
    }

    private func refuse(_ response: HTTPResponse, _ handle: SocketHandle) {
        self.counters.requests.wrappingAdd(1, ordering: .relaxed)
        self.counters.answeredAlone(.get, response.status)
        self.scratch.removeAll(keepingCapacity: true)
        ResponseWriter.append(
            self.readable(response, byPageOf: handle.header(WSI_TOKEN_ORIGIN)),
            common: self.configuration.responseHeaders,
            omitsBody: false,
            closes: true,
            to: &self.scratch
        )
        _ = handle.write(&self.scratch)
    }

    /// Returns the gateway's own response, with the headers that let a page of an allowed origin read it.
    func readable(_ response: HTTPResponse, byPageOf origin: String?) -> HTTPResponse {
        var response = response
        // Static files already have a header that allows every origin.
        guard !response.headers.contains(where: { $0.name == "access-control-allow-origin" }) else { return response }
        response.headers += self.origins.headers(for: origin)
        return response
    }

    private func refusalReason(_ handle: SocketHandle) -> RefusalReason? {
        if self.shared.isDraining { return .draining }
        guard let (method, path) = handle.methodAndPath, method == .get, path == self.configuration.webSocketPath else {
            return .path
        }
        guard handle.header(WSI_TOKEN_KEY) != nil, handle.header(WSI_TOKEN_VERSION) == "13" else { return .handshake }
        // libwebsockets reads at most 127 bytes of the list.
        guard let offered = handle.header(WSI_TOKEN_PROTOCOL), offered.utf8.count < 127 else { return .subprotocol }
        let names = offered.split(separator: ",").map { $0.trimmingSpaces() }
        guard names.contains(where: { self.configuration.subprotocols.contains($0) }) else { return .subprotocol }
        guard let origin = handle.header(WSI_TOKEN_ORIGIN) else { return nil }
        let host = handle.header(WSI_TOKEN_HOST)
        guard !self.origins.allows(origin: origin, host: host) else { return nil }
        self.shared.logOnce(OriginPolicy.refusal(of: origin, host: host), about: origin)
        return .origin
    }
}

extension Substring {
    fileprivate func trimmingSpaces() -> String {
        var text = self
        while text.first == " " || text.first == "\t" { text.removeFirst() }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return String(text)
    }
}
