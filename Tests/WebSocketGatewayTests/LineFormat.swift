@testable import WebSocketGateway

/// Joins a topic into one readable line: `full 3 a=x/y b=z - c note`.
struct LineFormat: TopicKind {
    let rules: TopicRules
    /// The number of joined updates.
    let joins = Counter()

    init(rules: TopicRules = TopicRules(knowsOwnEntry: true)) { self.rules = rules }

    func appendReset(_ topic: Topic, for cursor: TopicCursor, to frame: inout [UInt8]) {
        var line = "full \(topic.epoch) \(topic.version)"
        for entry in topic.entries { line += " " + Self.text(entry.key, entry.stable.bytes, entry.volatile.bytes) }
        if let note = topic.note { line += " note:" + String(decoding: note.summary, as: UTF8.self) }
        frame.append(contentsOf: line.utf8)
    }

    func appendDifference(_ topic: Topic, for cursor: TopicCursor, to frame: inout [UInt8]) {
        let line = "difference \(topic.epoch) \(topic.version)" + Self.changes(topic, cursor)
        frame.append(contentsOf: line.utf8)
    }

    func appendUpdate(_ topic: Topic, for cursor: TopicCursor, to frame: inout [UInt8]) -> Bool {
        let changes = Self.changes(topic, cursor)
        self.joins.add()
        guard !changes.isEmpty else { return false }
        frame.append(contentsOf: "update \(topic.version)\(changes)".utf8)
        return true
    }

    private static func changes(_ topic: Topic, _ cursor: TopicCursor) -> String {
        var line = ""
        topic.forEachEntry(after: cursor) { key, stable, volatile in line += " " + self.text(key, stable, volatile) }
        topic.forEachTombstone(after: cursor) { line += " -\($0)" }
        return line
    }

    private static func text(_ key: Int64, _ stable: [UInt8], _ volatile: [UInt8]) -> String {
        "\(key)=\(String(decoding: stable, as: UTF8.self))/\(String(decoding: volatile, as: UTF8.self))"
    }
}
