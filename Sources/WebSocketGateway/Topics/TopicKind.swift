/// A family of topics: what its entries are, and how they become the frames that clients read.
///
/// A kind is a value without state, listed in `TopicKinds` under its number. Its topics come as `TopicSnapshot` and
/// `TopicChange` with entries that are bytes already; the gateway mirrors and versions them, resumes, serves slow
/// clients, and shares one frame among all who are up to date.
///
/// The methods are called on a shard's thread, at most once for each topic, cursor and turn, and must depend on their
/// arguments alone. Where nothing is appended, nothing is sent. What is appended is one frame's payload, UTF-8 without any WebSocket header; for kinds whose rules
/// join topics, it is that topic's piece of a frame.
package protocol TopicKind: Sendable {
    /// How the gateway keeps, paces and shares topics of this kind; asked once a mirror.
    var rules: TopicRules { get }

    /// Appends what brings one up to date who has nothing, or has fallen behind the mirror's memory: all of the topic, or
    /// the word for a gap.
    func appendReset(_ topic: Topic, for cursor: TopicCursor, to frame: inout [UInt8])

    /// Appends the answer to a resume: what is newer than the cursor.
    func appendDifference(_ topic: Topic, for cursor: TopicCursor, to frame: inout [UInt8])

    /// Appends a live update: what is newer than the cursor.
    ///
    /// - Returns: false, with nothing appended, when there is nothing to tell.
    func appendUpdate(_ topic: Topic, for cursor: TopicCursor, to frame: inout [UInt8]) -> Bool

    /// Appends one frame with the pieces of several topics, of which `topic` is one.
    func appendJoined(_ pieces: [[UInt8]], of topic: Topic, to frame: inout [UInt8])
}

extension TopicKind {
    /// By default a resume is answered like an update, and by nothing when there is nothing to tell.
    package func appendDifference(_ topic: Topic, for cursor: TopicCursor, to frame: inout [UInt8]) {
        _ = self.appendUpdate(topic, for: cursor, to: &frame)
    }

    /// By default pieces follow each other: right for kinds that join no topics.
    package func appendJoined(_ pieces: [[UInt8]], of topic: Topic, to frame: inout [UInt8]) {
        for piece in pieces { frame.append(contentsOf: piece) }
    }
}

/// The kinds of topics that a gateway serves, by their numbers.
package struct TopicKinds: Sendable, ExpressibleByDictionaryLiteral {
    private let kinds: [UInt8: any TopicKind]

    /// Lists kinds under different numbers.
    package init(dictionaryLiteral elements: (UInt8, any TopicKind)...) { self.init(elements) }

    /// Lists kinds under different numbers.
    package init(_ kinds: [(UInt8, any TopicKind)]) { self.kinds = Dictionary(uniqueKeysWithValues: kinds) }

    /// The kind of a topic; trapping for a number that is not listed, which no client can name.
    subscript(id: TopicID) -> any TopicKind {
        guard let kind = self.kinds[id.kind] else { preconditionFailure("no kind of topics has number \(id.kind)") }
        return kind
    }
}
