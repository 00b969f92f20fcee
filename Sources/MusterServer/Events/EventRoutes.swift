import MusterCore
import MusterWire
import WebSocketGateway

/// Events for calendar programs, which send no token: the key in the address identifies the user.
struct EventRoutes: Sendable {
    private let node: ServerNode

    init(_ node: ServerNode) { self.node = node }

    /// The routes of the table.
    var routes: [Route] {
        let calendar = Access<CalendarOwner>.calendarKey(self.node)
        return [
            Route(.get, "/v1/events/{event}.ics", access: calendar, handler: self.event),
            Route(.get, "/v1/me/events.ics", access: calendar, handler: self.events),
            Route(.post, "/v1/me/calendar", access: .login(self.node), handler: self.renew),
        ]
    }

    private func event(_ request: RouteRequest, _ owner: CalendarOwner) async throws -> HTTPResponse {
        let directory = try self.node.readyDirectory()
        let id: EventID = try request.id("event")
        let event = try await directory.event(id, for: owner.user)
        return self.file([event], of: owner, request)
    }

    private func events(_ request: RouteRequest, _ owner: CalendarOwner) async throws -> HTTPResponse {
        let directory = try self.node.readyDirectory()
        let events = try await directory.calendarEvents(of: owner.user)
        return self.file(events, of: owner, request)
    }

    private func renew(_ request: RouteRequest, _ user: UserID) async throws -> HTTPResponse {
        let directory = try self.node.readyDirectory()
        let key = try await directory.renewCalendarKey(of: user)
        return .json(CalendarBody(calendar: self.linkBase(request) + CalendarAddress.path(key: key)))
    }

    private func file(_ events: [Event], of owner: CalendarOwner, _ request: RouteRequest) -> HTTPResponse {
        let body = CalendarFile.encode(
            events,
            for: owner.user,
            at: self.node.now,
            linkBase: self.linkBase(request)
        )
        return HTTPResponse(
            status: 200,
            headers: [("content-type", "text/calendar; charset=utf-8"), ("cache-control", "private, no-store")],
            body: body
        )
    }

    private func linkBase(_ request: RouteRequest) -> String { self.node.linkBase(host: request.headers["host"]) }
}

/// The owner of a calendar.
struct CalendarOwner: Sendable {
    let user: UserID
}

/// The address of the user's calendar.
private struct CalendarBody: Encodable {
    let calendar: String
}

extension Access<CalendarOwner> {
    /// Admits the owner of the key in `?k=`.
    static func calendarKey(_ node: ServerNode) -> Self {
        Access { request in
            let directory = try node.readyDirectory()
            return CalendarOwner(user: try await directory.calendarOwner(key: request.query("k") ?? ""))
        }
    }
}
