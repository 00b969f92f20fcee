/// The handshake with a plain relay: joins a group by its number; ready when the relay confirms.
final class RelayHandshake: FleetHandshake {
    private let protocolOfRelay: RelayProtocol
    private let groupSize: Int
    private var text = FrameText()

    /// Creates the handshake.
    init(_ protocolOfRelay: RelayProtocol, groupSize: Int) {
        self.protocolOfRelay = protocolOfRelay
        self.groupSize = groupSize
    }

    var path: String { self.protocolOfRelay.path }
    let subprotocol: String? = nil

    func hello(of session: Int) -> [UInt8] {
        let place = FixPlace(group: session / self.groupSize, member: session % self.groupSize, number: 0)
        self.protocolOfRelay.join.write(
            LoadFix(
                number: session,
                session: session,
                sequence: 0,
                group: session / self.groupSize,
                place: place,
                at: 0
            ),
            into: &self.text
        )
        return self.text.bytes
    }

    func receive(_ frame: [UInt8], by session: Int) -> HandshakeStep {
        frame.firstRange(of: self.protocolOfRelay.joined) == nil ? .wait : .ready
    }
}

@available(*, unavailable)
extension RelayHandshake: Sendable {}
