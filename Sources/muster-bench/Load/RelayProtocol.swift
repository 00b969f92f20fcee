import MusterCommands

/// The protocol of a plain relay: how a client joins a group, and the format of its messages.
struct RelayProtocol: Sendable {
    /// The path of the endpoint.
    let path: String
    /// The first message of a client, with `{group}` and other placeholders of messages.
    let join: MessageTemplate
    /// A text in the relay's confirmation.
    let joined: [UInt8]
    /// The subsequent messages of a client, with `{number}`.
    let message: MessageTemplate
    /// The text directly before the number in a message.
    let numberMarker: [UInt8]

    /// Reads the relay's shell command and protocol from `--beside` and its options; nil without `--beside`.
    static func baseline(_ values: OptionValues) throws(UsageError) -> (command: String, protocol: RelayProtocol)? {
        guard let command = values.text("beside") else { return nil }
        guard command.contains("{port}") else { throw UsageError("--beside must contain {port}") }
        return (command, try RelayProtocol(values))
    }

    /// Reads the options of `--beside`.
    init(_ values: OptionValues) throws(UsageError) {
        self.path = values.text("beside-path") ?? "/"
        self.joined = Array((values.text("beside-joined") ?? "").utf8)
        self.join = MessageTemplate(values.text("beside-join") ?? "")
        self.message = MessageTemplate(values.text("beside-message") ?? "")
        guard let marker = self.message.text(before: .number), !marker.isEmpty else {
            throw UsageError("--beside-message must contain {number}, with text before it")
        }
        self.numberMarker = marker
    }
}
