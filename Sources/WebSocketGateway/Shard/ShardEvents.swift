import MusterWire

/// What a shard's core tells the side that has the application and the mailbox.
protocol ShardEvents: AnyObject {
    func connectionOpened(_ connection: Connection)
    func frameReceived(_ bytes: UnsafeRawBufferPointer, on connection: Connection)
    func messageReceived(_ message: ApplicationMessage, on connection: Connection)
    func timerFired(_ token: UInt8, on connection: Connection)
    func connectionClosed(_ connection: Connection, _ code: CloseCode)
    func topicUnfollowed(_ id: TopicID, since number: UInt64)
    func requestReceived(_ request: HTTPRequest)
    func commandsWaiting()
    func turnEnded()
}
