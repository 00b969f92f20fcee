import MusterCommands

/// How to speak with a plain relay: what a client says to join a group, and what it says then.
struct RelayProtocol: Sendable {
    /// The path of the endpoint.
    let path: String
    /// What a client says once, with `{group}` and whatever else a message may hold.
    let join: MessageTemplate
    /// What the relay's answer to that contains.
    let joined: [UInt8]
    /// What a client says from then on, with `{number}` in it.
    let message: MessageTemplate
    /// What stands before the number in a message.
    let numberMarker: [UInt8]

    /// Reads `--beside` and its options: the shell command of a relay, and how to speak with it; nil when none is asked for.
    static func beside(_ values: OptionValues) throws(UsageError) -> (command: String, protocol: RelayProtocol)? {
        guard let command = values.text("beside") else { return nil }
        guard command.contains("{port}") else { throw UsageError("--beside needs {port} in its command") }
        return (command, try RelayProtocol(values))
    }

    /// Reads the options of `--beside`.
    init(_ values: OptionValues) throws(UsageError) {
        self.path = values.text("beside-path") ?? "/"
        self.joined = Array((values.text("beside-joined") ?? "").utf8)
        self.join = MessageTemplate(values.text("beside-join") ?? "")
        self.message = MessageTemplate(values.text("beside-message") ?? "")
        guard let marker = self.message.text(before: .number), !marker.isEmpty else {
            throw UsageError("--beside-message must hold {number}, with some text before it")
        }
        self.numberMarker = marker
    }
}
