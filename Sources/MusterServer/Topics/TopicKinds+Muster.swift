package import WebSocketGateway

extension TopicKinds {
    /// The kinds of topics that Muster serves, by their numbers; a feature adds its line.
    package static let muster: TopicKinds = [
        RosterTopic.kind: RosterTopic()
    ]
}
