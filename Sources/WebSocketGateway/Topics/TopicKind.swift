/// A kind of topics: the encoding of its entries into frames for clients.
///
/// A kind is a stateless value, listed in `TopicKinds` under its number. Its topics arrive as `TopicSnapshot` and
/// `TopicChange` with encoded entries. The gateway mirrors and versions them, handles resumes and slow clients, and
/// shares one frame among all subscribers at the same version.
///
/// The methods are called on a shard's thread, at most once for each topic, cursor and tick. Their result must depend
/// only on their arguments. If a method appends nothing, nothing is sent. It appends one frame's payload, UTF-8 without
/// any WebSocket header. For kinds that join topics, it appends the topic's piece of a frame.
package protocol TopicKind: Sendable {
    /// The rules by which the gateway keeps, paces and shares topics of this kind; read once for each mirror.
    var rules: TopicRules { get }

    /// Appends the frame for a subscriber that has nothing, or has fallen behind the mirror's floor: the whole topic,
    /// or a notice of a gap.
    func appendReset(_ topic: Topic, for cursor: TopicCursor, to frame: inout [UInt8])

    /// Appends the response to a resume: the changes after the cursor.
    func appendDifference(_ topic: Topic, for cursor: TopicCursor, to frame: inout [UInt8])

    /// Appends a live update: the changes after the cursor.
    ///
    /// - Returns: false, with nothing appended, if there is no change to send.
    func appendUpdate(_ topic: Topic, for cursor: TopicCursor, to frame: inout [UInt8]) -> Bool

    /// Appends one frame that joins the pieces of several topics, including `topic`.
    func appendJoined(_ pieces: [[UInt8]], of topic: Topic, to frame: inout [UInt8])
}

extension TopicKind {
    /// Appends the same as `appendUpdate`, by default.
    package func appendDifference(_ topic: Topic, for cursor: TopicCursor, to frame: inout [UInt8]) {
        _ = self.appendUpdate(topic, for: cursor, to: &frame)
    }

    /// Appends the pieces in order, by default.
    ///
    /// This is sufficient for kinds that join no topics.
    package func appendJoined(_ pieces: [[UInt8]], of topic: Topic, to frame: inout [UInt8]) {
        for piece in pieces { frame.append(contentsOf: piece) }
    }
}

/// The kinds of topics of a gateway, by number.
package struct TopicKinds: Sendable, ExpressibleByDictionaryLiteral {
    private let kinds: [UInt8: any TopicKind]

    /// Creates a list of kinds with distinct numbers.
    package init(dictionaryLiteral elements: (UInt8, any TopicKind)...) { self.init(elements) }

    /// Creates a list of kinds with distinct numbers.
    package init(_ kinds: [(UInt8, any TopicKind)]) { self.kinds = Dictionary(uniqueKeysWithValues: kinds) }

    /// The kind of a topic.
    ///
    /// Traps for an unlisted number, which a client cannot cause.
    subscript(id: TopicID) -> any TopicKind {
        guard let kind = self.kinds[id.kind] else { preconditionFailure("no kind of topics has number \(id.kind)") }
        return kind
    }
}
