import MusterCore
import WebSocketGateway

extension TopicKinds {
    /// The kinds of topics that Muster serves, by their numbers: a feature adds its line, and each layer of tiles is one.
    static let muster = TopicKinds(
        [(RosterTopic.kind, RosterTopic()), (RoomTopic.kind, RoomTopic()), (TypingTopic.kind, TypingTopic())]
            + LayerTable.muster.kinds.map { (TileTopic.number(of: $0), TileTopic($0)) }
    )
}
