import MusterCore
import MusterWire
import WebSocketGateway

extension WorldRunner {
    /// Executes an effect of the world on rooms.
    func execute(_ effect: ChatEffect) {
        switch effect {
        case .rooms(let session, let views):
            for frame in ChatFrames.rooms(views) { self.send(frame, to: session) }
        case .gone(let sessions, let room):
            let frame = ChatFrames.gone(room)
            for session in sessions { self.send(frame, to: session) }
        case .missed(let session, let advance):
            for frame in ChatFrames.chat(advance) { self.send(frame, to: session) }
        case .gap(let session, let room, let epoch, let version):
            self.send(ChatFrames.gap(room, epoch: epoch, upTo: version), to: session)
        case .done(let session, let tag):
            if let tag { self.send(Frame.ok(tag, NoAnswer()).encoded, to: session) }
        case .follow(let session, let room, let epoch, let version, let from, let first):
            self.outbox.subscribe(
                ConnectionID(session),
                to: RoomTopic.id(room),
                resume: TopicPosition(epoch: epoch, version: UInt64(from)),
                lowestKey: first
            ) {
                RoomTopic.snapshot(room, epoch: epoch, version: version)
            }
        case .unfollow(let session, let room):
            self.outbox.unsubscribe(ConnectionID(session), from: RoomTopic.id(room))
        case .advanced(let advance):
            self.outbox.update(RoomTopic.id(advance.room)) { RoomTopic.change(advance) }
        case .closed(let room):
            self.outbox.close(RoomTopic.id(room))
            self.outbox.close(TypingTopic.id(room))
        case .subscribeToTyping(let session, let room):
            self.outbox.subscribe(ConnectionID(session), to: TypingTopic.id(room)) { TypingTopic.snapshot(room) }
        case .unsubscribeFromTyping(let session, let room):
            self.outbox.unsubscribe(ConnectionID(session), from: TypingTopic.id(room))
        case .typing(let room, let users, let number):
            self.outbox.update(TypingTopic.id(room)) { TypingTopic.change(room, users, number: number) }
        case .say(let room, let key, let data, let moment):
            self.outlets.chat.say(data, key: key, in: room, at: moment)
        case .wentAway(let user):
            self.outlets.chat.noteAway(user)
        }
    }
}
