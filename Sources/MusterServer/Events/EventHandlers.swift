import MusterCore
import MusterStore
import MusterWire

extension RequestTable {
    /// The requests about events.
    static func events(_ services: any RequestServices, _ board: EventBoard, _ desk: ChatDesk) -> [Entry] {
        let handlers = EventHandlers(board: board, chat: desk)
        return [
            .directory(EventCreate.self, services) { (request, caller, directory) async throws(DirectoryError) in
                await handlers.outcome(
                    of: try await directory.createEvent(request, by: caller.user),
                    directory,
                    for: caller
                )
            },
            .asynchronous(EventUpdate.self) { request, caller in
                let directory = try services.readyDirectory()
                return try await services.requestLimit.run(for: caller.user) {
                    // Charged after the permission check, so that other users cannot use up the limit of an event.
                    let change = try await directory.updateEvent(request, by: caller.user) {
                        () throws(DirectoryError) in try handlers.charge(request.event)
                    }
                    return await handlers.outcome(of: change, directory, for: caller)
                }
            },
            .directory(EventGet.self, services) { (request, caller, directory) async throws(DirectoryError) in
                let event = try await directory.event(request.event, for: caller.user)
                return .answer(EventAnswer(event, to: caller.user, at: board.now))
            },
            .directory(EventCancel.self, services) { (request, caller, directory) async throws(DirectoryError) in
                await handlers.outcome(
                    of: try await directory.cancelEvent(request.event, by: caller.user),
                    directory,
                    for: caller
                )
            },
            .directory(EventRemove.self, services) { (request, caller, directory) async throws(DirectoryError) in
                let change = try await directory.removeGuest(request.user, from: request.event, by: caller.user)
                return await handlers.outcome(of: change, directory, for: caller)
            },
            .directory(EventReply.self, services) { (request, caller, directory) async throws(DirectoryError) in
                let change = try await directory.reply(request.rsvp, to: request.event, by: caller.user)
                return await handlers.outcome(of: change, directory, for: caller)
            },
            .directory(EventGuests.self, services) { (request, caller, directory) async throws(DirectoryError) in
                let page = try await directory.guests(
                    of: request.event,
                    after: request.after,
                    limit: request.limit ?? EventGuests.limitRange.upperBound,
                    for: caller.user
                )
                return .answer(EventGuestsAnswer(page.guests, next: page.next))
            },
            .directory(EventsMine.self, services) { (request, caller, directory) async throws(DirectoryError) in
                let limit = request.limit ?? EventsMine.limitRange.upperBound
                let page = try await directory.events(of: caller.user, after: request.after, limit: limit)
                let key = try await directory.calendarKey(of: caller.user)
                return .answer(
                    EventsAnswer(
                        page.events,
                        to: caller.user,
                        at: board.now,
                        next: page.next,
                        calendar: caller.linkBase + CalendarAddress.path(key: key)
                    )
                )
            },
            .asynchronous(EventsWatch.self) { request, caller in
                try await board.requireLoaded()
                guard let session = caller.session else { return .world([]) }
                // The world answers, because it knows the positions and the groups of users.
                return .world([.events(.watched(session, caller.tag, request.watch))])
            },
        ]
    }
}

/// The handlers of requests about events.
private struct EventHandlers: Sendable {
    let board: EventBoard
    let chat: ChatDesk
    /// Limits the rate of changes of each event.
    private let meter = RateMeter<EventID>(.eventUpdate)

    init(board: EventBoard, chat: ChatDesk) {
        self.board = board
        self.chat = chat
    }

    /// Charges the rate limit for a change of an event.
    ///
    /// - Throws: `rateLimited`.
    func charge(_ event: EventID) throws(DirectoryError) {
        do throws(FrameError) {
            try self.meter.charge(1, to: event, now: self.board.now.milliseconds)
        } catch {
            throw DirectoryError(.rateLimited(retryAfter: error.retryAfter ?? 0), error.message)
        }
    }

    /// Publishes the new state of an event and the messages in its rooms; the answer is the caller's own view of the
    /// event.
    func outcome(
        of change: EventChange,
        _ directory: Directory,
        for caller: Caller
    ) async -> RequestOutcome<EventAnswer> {
        let now = self.board.now
        guard !change.isStale else {
            return RequestOutcome(.failure(.eventStands(change.event, for: caller.user, at: now)))
        }
        self.board.put(change.event)
        await self.chat.noteChanged(change.rooms, in: directory)
        return RequestOutcome(
            .answer(EventAnswer(change.event, to: caller.user, at: now)),
            publications: change.publications
        )
    }
}
