package import MusterCore

/// The frames by which clients are told of rooms.
package enum ChatFrames {
    /// How many rooms one frame lists.
    package static let roomsPerFrame = 100

    /// How a person's rooms are; several frames when they are many, none when there are none.
    package static func rooms(_ views: [RoomView]) -> [[UInt8]] {
        stride(from: 0, to: views.count, by: self.roomsPerFrame).map { start in
            let part = views[start..<min(start + self.roomsPerFrame, views.count)]
            return Frame.encode("rooms", ["rooms": part.map { RoomStatus($0) }])
        }
    }

    /// That a person has lost a room.
    package static func gone(_ room: RoomID) -> [UInt8] {
        Frame.encode("rooms", ["rooms": [["room": room, "gone": true] as FieldList]])
    }

    /// The most bytes of a frame that brings changes.
    package static let chatLimit = 48 * 1024
    /// What a frame holds beside its messages is less.
    private static let chatHead = 256

    /// What changed in a room, in as many frames as it takes.
    package static func chat(_ advance: RoomAdvance) -> [[UInt8]] {
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

    /// That more changed in a room than can be told.
    package static func gap(_ room: RoomID, epoch: String, upTo version: Int64) -> [UInt8] {
        Frame.encode("chat_gap", ["room": room, "epoch": epoch, "upTo": version])
    }

    /// How far a person has read, for their other sessions.
    package static func read(_ room: RoomID, seq: Int64, unread: Int, mentions: Int) -> [UInt8] {
        Frame.encode("chat_read", ["room": room, "seq": seq, "unread": unread, "mentions": mentions])
    }

    /// Who is writing.
    package static func typing(_ room: RoomID, _ users: [UserID]) -> [UInt8] {
        Frame.encode("typing", ["room": room, "users": users])
    }

    // MARK: - Pieces

    /// One message, as it stands in a frame.
    package static func message(_ message: ChatMessage) -> [UInt8] { WireEncoder.encode(MessageView(message)) }

    /// Begins a frame that brings a client from one version to another.
    package static func beginChat(
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

    /// Adds a message that is encoded.
    package static func appendMessage(_ message: [UInt8], to frame: inout [UInt8]) {
        frame.separateFromPrevious()
        frame.append(contentsOf: message)
    }

    /// Ends the frame.
    package static func endChat(_ frame: inout [UInt8]) { frame.append(json: "]}") }
}
