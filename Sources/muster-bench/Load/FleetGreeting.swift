/// How sessions come in: where they knock, what they say first, and what must come before they are ready.
protocol FleetGreeting: AnyObject {
    /// The path of the endpoint.
    var path: String { get }
    /// The subprotocol that is offered; nil for none.
    var subprotocol: String? { get }

    /// What a session says as soon as it is connected.
    func hello(of session: Int) -> [UInt8]

    /// Reads what comes before a session is ready.
    func receive(_ frame: [UInt8], by session: Int) -> GreetingStep
}

/// What a frame means to a session that is not ready yet.
enum GreetingStep {
    /// More must come.
    case wait
    /// The session is in.
    case ready
    /// The server objects, in these words.
    case refused(String)
}
