import MusterCore
import MusterWire

extension RequestTable {
    /// The requests about rooms.
    static func chat(_ services: any RequestServices, _ chatService: ChatService) -> [Entry] {
        [
            .asynchronous(ChatSend.self) { request, caller in
                try chatService.meter(request.room, by: caller.user)
                let outcome = try await chatService.write(.send(request.draft), in: request.room, by: caller.user)
                return .answer(ChatSendAnswer(outcome))
            },
            .asynchronous(ChatEdit.self) { request, caller in
                let action = ChatOrder.Action.edit(request.seq, text: request.text)
                let outcome = try await chatService.write(action, in: request.room, by: caller.user)
                return .answer(MessageAnswer(outcome.message))
            },
            .asynchronous(ChatDelete.self) { request, caller in
                let outcome = try await chatService.write(.delete(request.seq), in: request.room, by: caller.user)
                return .answer(MessageAnswer(outcome.message))
            },
            .directory(ChatHistory.self, services, ChatHandlers.history),
            .directory(ChatChanges.self, services) { request, caller, directory in
                chatService.noteGap()
                return try await ChatHandlers.changes(request, caller, directory)
            },
            .directory(ChatRead.self, services) { request, caller, directory in
                try await ChatHandlers.read(request, caller, directory, chatService.receipts)
            },
            .directory(RoomSet.self, services, ChatHandlers.set),
            .immediate(ChatFocus.self) { request, caller in
                // The world answers, because it knows the members of a room.
                .world(caller.session.map { [.chat(.focused($0, caller.tag, request.room))] } ?? [])
            },
            .immediate(ChatTyping.self) { request, caller in
                .world(caller.session.map { [.chat(.typed($0, caller.tag, request.room))] } ?? [])
            },
            .directory(GroupWait.self, services) { request, caller, directory in
                .answer(GroupWaitAnswer(try await chatService.wait(request, by: caller.user, directory)))
            },
        ]
    }

    /// The requests that block users or report abuse.
    static func blocks(_ services: any RequestServices) -> [Entry] {
        [
            .directory(UserBlock.self, services) { request, caller, directory in
                .done(try await directory.block(request.user, seenIn: request.invite, by: caller.user))
            },
            .directory(UserUnblock.self, services) { request, caller, directory in
                .done(try await directory.unblock(request.user, by: caller.user))
            },
            .directory(Report.self, services) { request, caller, directory in
                try await directory.report(request, by: caller.user)
                return .done()
            },
        ]
    }
}

/// The handlers of requests about rooms.
private enum ChatHandlers {
    static func history(
        _ request: ChatHistory,
        _ caller: Caller,
        _ directory: Directory
    ) async throws -> RequestOutcome<ChatHistoryAnswer> {
        let span: RoomSpan =
            if let seq = request.before {
                .before(seq)
            } else if let seq = request.after {
                .after(seq)
            } else if let seq = request.around {
                .around(seq)
            } else {
                .newest
            }
        let limit = request.limit ?? ChatHistory.limitRange.upperBound
        let page = try await directory.messages(of: request.room, span, limit: limit, for: caller.user)
        return .answer(
            ChatHistoryAnswer(page.messages, hasMore: page.hasMore, epoch: page.epoch, version: page.version)
        )
    }

    static func changes(
        _ request: ChatChanges,
        _ caller: Caller,
        _ directory: Directory
    ) async throws -> RequestOutcome<ChatChangesAnswer> {
        let page = try await directory.changes(
            of: request.room,
            epoch: request.epoch,
            after: request.after,
            limit: request.limit ?? ChatChanges.limitRange.upperBound,
            for: caller.user
        )
        return .answer(ChatChangesAnswer(page.messages, upTo: page.version, hasMore: page.hasMore))
    }

    static func read(
        _ request: ChatRead,
        _ caller: Caller,
        _ directory: Directory,
        _ receipts: ReadReceipts
    ) async throws -> RequestOutcome<ChatReadAnswer> {
        let receipt = try await receipts.read(request.room, upTo: request.seq, by: caller.user, in: directory)
        let frame = ChatFrames.read(request.room, seq: receipt.seq, unread: receipt.unread, mentions: receipt.mentions)
        var inputs: [WorldInput] = [.chat(.notified(caller.user, except: caller.session, frame: frame))]
        if !receipt.seen.isEmpty { inputs.append(.chat(.seen(caller.user, receipt.seen))) }
        return .answer(ChatReadAnswer(unread: receipt.unread), after: inputs)
    }

    static func set(
        _ request: RoomSet,
        _ caller: Caller,
        _ directory: Directory
    ) async throws -> RequestOutcome<RoomAnswer> {
        let room = try await directory.setRoom(
            request.room,
            muted: request.muted,
            slow: request.slow,
            by: caller.user
        )
        // Slow mode concerns all members of the room, the other settings only the user's own sessions.
        var inputs: [WorldInput] = []
        if request.slow != nil {
            inputs.append(.chat(.changed(request.room)))
        } else if let frame = ChatFrames.rooms([room]).first {
            inputs.append(.chat(.notified(caller.user, except: caller.session, frame: frame)))
        }
        return .answer(RoomAnswer(room), after: inputs)
    }
}
