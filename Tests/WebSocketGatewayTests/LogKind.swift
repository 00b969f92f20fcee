@testable import WebSocketGateway

/// A second kind of topics: a room's log in readable lines, `log 3-5 7:text`, or `gap 9`.
///
/// An entry's key is its number in the log, and only an edit changes an entry. A mirror keeps three entries of 40
/// bytes.
struct LogKind: TopicKind {
    /// The number of joined frames.
    let joins = Counter()

    var rules: TopicRules {
        TopicRules(memory: .tail(entries: 3, bytes: 40, milliseconds: 60_000), pacing: .atOnce)
    }

    func appendReset(_ topic: Topic, for cursor: TopicCursor, to frame: inout [UInt8]) {
        frame.append(contentsOf: "gap \(topic.epoch) \(topic.version)".utf8)
    }

    func appendUpdate(_ topic: Topic, for cursor: TopicCursor, to frame: inout [UInt8]) -> Bool {
        self.joins.add()
        // Also without entries: versions that the client may not see still count when it looks for gaps.
        var line = "log \(cursor.version)-\(topic.version)"
        topic.forEachEntry(after: cursor) { key, bytes, _ in
            line += " \(key):" + String(decoding: bytes, as: UTF8.self)
        }
        frame.append(contentsOf: line.utf8)
        return true
    }
}

/// The typing users; only the newest state is sent.
struct TypingKind: TopicKind {
    var rules: TopicRules { TopicRules(pacing: .newestOnly) }

    func appendReset(_ topic: Topic, for cursor: TopicCursor, to frame: inout [UInt8]) {}

    func appendUpdate(_ topic: Topic, for cursor: TopicCursor, to frame: inout [UInt8]) -> Bool {
        let keys = topic.entries.map { "\($0.key)" }
        frame.append(contentsOf: "typing \(keys.joined(separator: ","))".utf8)
        return true
    }
}

/// Cells of a map.
///
/// A session's cells of one layer share a frame: `cells 5 [8: 1] [9: 2 -3]`.
struct CellKind: TopicKind {
    var rules: TopicRules { TopicRules(joinsTopics: true) }

    func appendReset(_ topic: Topic, for cursor: TopicCursor, to frame: inout [UInt8]) {
        _ = self.appendUpdate(topic, for: cursor, to: &frame)
    }

    func appendUpdate(_ topic: Topic, for cursor: TopicCursor, to frame: inout [UInt8]) -> Bool {
        var line = "[\(topic.id.part):"
        topic.forEachEntry(after: cursor) { key, _, _ in line += " \(key)" }
        topic.forEachTombstone(after: cursor) { line += " -\($0)" }
        frame.append(contentsOf: (line + "]").utf8)
        return true
    }

    func appendJoined(_ pieces: [[UInt8]], of topic: Topic, to frame: inout [UInt8]) {
        frame.append(contentsOf: "cells \(topic.id.key)".utf8)
        for piece in pieces { frame.append(contentsOf: [0x20] + piece) }
    }
}
