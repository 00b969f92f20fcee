import MusterCore
import MusterWire

extension RequestTable {
    /// The requests about events.
    static func events(_ node: ServerNode, _ router: ChangeRouter) -> [Entry] {
        let handlers = EventHandlers(node: node)
        return [
            .directory(EventCreate.self, node) { request, caller, directory in
                handlers.outcome(of: try await directory.createEvent(request, by: caller.user), for: caller)
            },
            .asynchronous(EventUpdate.self) { request, caller in
                let directory = try node.readyDirectory()
                return try await node.requestLimit.run(for: caller.user) {
                    // Charged after the permission check, so that other users cannot use up the limit of an event.
                    let change = try await directory.updateEvent(request, by: caller.user) {
                        try handlers.charge(request.event)
                    }
                    return handlers.outcome(of: change, for: caller)
                }
            },
            .directory(EventGet.self, node) { request, caller, directory in
                let event = try await directory.event(request.event, for: caller.user)
                return .answer(EventAnswer(event, to: caller.user, at: node.now))
            },
            .directory(EventCancel.self, node) { request, caller, directory in
                handlers.outcome(of: try await directory.cancelEvent(request.event, by: caller.user), for: caller)
            },
            .directory(EventRemove.self, node) { request, caller, directory in
                let change = try await directory.removeGuest(request.user, from: request.event, by: caller.user)
                return handlers.outcome(of: change, for: caller)
            },
            .directory(EventReply.self, node) { request, caller, directory in
                let change = try await directory.reply(request.rsvp, to: request.event, by: caller.user)
                return handlers.outcome(of: change, for: caller)
            },
            .directory(EventGuests.self, node) { request, caller, directory in
                let page = try await directory.guests(
                    of: request.event,
                    after: request.after,
                    limit: request.limit ?? EventGuests.limitRange.upperBound,
                    for: caller.user
                )
                return .answer(EventGuestsAnswer(page.guests, next: page.next))
            },
            .directory(EventsMine.self, node) { request, caller, directory in
                let limit = request.limit ?? EventsMine.limitRange.upperBound
                let page = try await directory.events(of: caller.user, after: request.after, limit: limit)
                let key = try await directory.calendarKey(of: caller.user)
                return .answer(
                    EventsAnswer(
                        page.events,
                        to: caller.user,
                        at: node.now,
                        next: page.next,
                        calendar: caller.linkBase + CalendarAddress.path(key: key)
                    )
                )
            },
            .asynchronous(EventsWatch.self) { request, caller in
                try await router.requireLoaded(.event)
                guard let session = caller.session else { return .world([]) }
                // The world answers, because it knows the positions and the groups of users.
                return .world([.events(.subscribed(session, caller.tag, request.subscription))])
            },
        ]
    }
}

/// The handlers of requests about events.
private struct EventHandlers: Sendable {
    let node: ServerNode
    /// Limits the rate of changes of each event.
    private let meter = RateMeter<EventID>(.eventUpdate)

    /// Charges the rate limit for a change of an event.
    ///
    /// - Throws: `rateLimited`.
    func charge(_ event: EventID) throws(FrameError) {
        try self.meter.charge(1, to: event, now: self.node.now.milliseconds)
    }

    /// Publishes the new state of an event and the messages in its rooms; the answer is the caller's own view of the
    /// event.
    func outcome(of result: Committed<EventChange>, for caller: Caller) -> RequestOutcome<EventAnswer> {
        let (now, change) = (self.node.now, result.value)
        guard !change.isStale else {
            return RequestOutcome(.failure(.eventConflict(change.event, for: caller.user, at: now)))
        }
        return RequestOutcome(
            .answer(EventAnswer(change.event, to: caller.user, at: now)),
            changes: result.changes,
            publications: change.publications
        )
    }
}
