import WebSocketGateway

/// Joins a topic into one line that tests can read: `full 3 a=x/y b=z - c note`.
struct LineFormat: TopicFormat {
    /// Counts the updates that were joined.
    var joins = Counter()

    func appendFull(_ topic: Topic, to frame: inout [UInt8]) {
        var line = "full \(topic.epoch) \(topic.version)"
        for entry in topic.entries { line += " " + Self.text(entry.key, entry.stable.bytes, entry.volatile.bytes) }
        if let note = topic.note { line += " note:" + String(decoding: note.summary, as: UTF8.self) }
        frame.append(contentsOf: line.utf8)
    }

    func appendDifference(_ topic: Topic, since version: UInt64, to frame: inout [UInt8]) {
        let line = "difference \(topic.epoch) \(topic.version)" + Self.changes(topic, since: version)
        frame.append(contentsOf: line.utf8)
    }

    func appendUpdate(_ topic: Topic, since version: UInt64, to frame: inout [UInt8]) -> Bool {
        let changes = Self.changes(topic, since: version)
        self.joins.add()
        guard !changes.isEmpty else { return false }
        frame.append(contentsOf: "update \(topic.version)\(changes)".utf8)
        return true
    }

    private static func changes(_ topic: Topic, since version: UInt64) -> String {
        var line = ""
        topic.forEachEntry(newerThan: version) { key, stable, volatile in
            line += " " + self.text(key, stable, volatile)
        }
        for tombstone in topic.tombstones(since: version) { line += " -\(tombstone.key)" }
        return line
    }

    private static func text(_ key: Int64, _ stable: [UInt8], _ volatile: [UInt8]) -> String {
        "\(key)=\(String(decoding: stable, as: UTF8.self))/\(String(decoding: volatile, as: UTF8.self))"
    }
}
