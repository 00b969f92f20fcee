import MusterCore
import MusterWire

/// The frames about rooms for clients.
enum ChatFrames {
    /// The maximum number of rooms in one frame.
    static let roomsPerFrame = 100

    /// Returns the frames with the state of a user's rooms: several when there are many rooms, none without rooms.
    static func rooms(_ views: [RoomView]) -> [[UInt8]] {
        stride(from: 0, to: views.count, by: self.roomsPerFrame).map { start in
            let part = views[start..<min(start + self.roomsPerFrame, views.count)]
            return Frame.encode("rooms", ["rooms": part.map { RoomStatus($0) }])
        }
    }

    /// Returns the frame for a user who has lost access to a room.
    static func gone(_ room: RoomID) -> [UInt8] {
        Frame.encode("rooms", ["rooms": [["room": room, "gone": true] as FieldList]])
    }

    /// The maximum size of a frame with changes, in bytes.
    static let chatLimit = 48 * 1024
    /// An upper bound for the size of a frame without its messages.
    private static let chatHead = 256

    /// Returns the changes of a room in one or more frames.
    static func chat(_ advance: RoomAdvance) -> [[UInt8]] {
        var frames: [[UInt8]] = []
        var step = (after: advance.after, upTo: advance.after)
        var messages: [[UInt8]] = []
        var size = self.chatHead
        func endStep(at version: Int64) {
            var frame: [UInt8] = []
            self.beginChat(advance.room, advance.epoch, after: step.after, upTo: version, to: &frame)
            for message in messages { self.appendMessage(message, to: &frame) }
            self.endChat(&frame)
            frames.append(frame)
            (step.after, messages, size) = (version, [], self.chatHead)
        }
        for message in advance.messages {
            let encoded = self.message(message)
            if !messages.isEmpty, size + encoded.count + 1 > self.chatLimit { endStep(at: step.upTo) }
            messages.append(encoded)
            size += encoded.count + 1
            step.upTo = message.version
        }
        endStep(at: advance.upTo)
        return frames
    }

    /// Returns the frame for a gap: more changes in a room than can be sent.
    static func gap(_ room: RoomID, epoch: String, upTo version: Int64) -> [UInt8] {
        Frame.encode("chat_gap", ["room": room, "epoch": epoch, "upTo": version])
    }

    /// Returns the frame with a user's read position, for their other sessions.
    static func read(_ room: RoomID, seq: Int64, unread: Int, mentions: Int) -> [UInt8] {
        Frame.encode("chat_read", ["room": room, "seq": seq, "unread": unread, "mentions": mentions])
    }

    /// Returns the frame with the users who are typing.
    static func typing(_ room: RoomID, _ users: [UserID]) -> [UInt8] {
        Frame.encode("typing", ["room": room, "users": users])
    }

    // MARK: - Pieces

    /// Returns one encoded message, as contained in a frame.
    static func message(_ message: ChatMessage) -> [UInt8] { WireEncoder.encode(MessageView(message)) }

    /// Begins a frame that leads a client from one version to another.
    static func beginChat(
        _ room: RoomID,
        _ epoch: String,
        after: Int64,
        upTo: Int64,
        to frame: inout [UInt8]
    ) {
        frame.append(json: #"{"type":"chat","room":"#)
        frame.append(string: room.description)
        frame.append(json: #","epoch":"#)
        frame.append(string: epoch)
        frame.append(json: #","after":"#)
        frame.append(integer: after)
        frame.append(json: #","upTo":"#)
        frame.append(integer: upTo)
        frame.append(json: #","messages":["#)
    }

    /// Appends an encoded message.
    static func appendMessage(_ message: [UInt8], to frame: inout [UInt8]) {
        frame.separateFromPrevious()
        frame.append(contentsOf: message)
    }

    /// Ends the frame.
    static func endChat(_ frame: inout [UInt8]) { frame.append(json: "]}") }
}
