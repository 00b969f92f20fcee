import MusterCore
import WebSocketGateway

// A session's id on the wire is the number of its connection, and a request's id likewise. So no table maps one to the
// other.

extension ConnectionID {
    /// The connection of a session.
    init(_ session: SessionID) { self.init(rawValue: UInt64(bitPattern: session.rawValue)) }
}

extension RequestID {
    /// The request behind a report without a session.
    init(_ session: SessionID) { self.init(rawValue: UInt64(bitPattern: session.rawValue)) }
}

extension SessionID {
    /// The session of a connection.
    init(_ connection: ConnectionID) { self.init(Int64(bitPattern: connection.rawValue)) }

    /// The session that stands for a request.
    init(_ request: RequestID) { self.init(Int64(bitPattern: request.rawValue)) }
}
