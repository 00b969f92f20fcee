import MusterCore
import MusterWire

// Adding a request: a type, a handler and a line in the feature's list, all in `MusterServer/<Feature>`; a new feature
// adds its list to `RequestTable+Muster.swift`. `public/asyncapi.json` describes the frames, and `RequestTableTests`
// compares the two.

/// All requests with their handlers.
struct RequestTable: Sendable {
    /// A request and its handler.
    struct Entry: Sendable {
        /// How a request is handled.
        enum Handling: Sendable {
            /// At once, on the shard's thread, in the order of the session's frames; for requests that the world
            /// executes.
            case immediate(@Sendable (any ClientRequest, Caller) -> EncodedOutcome)
            /// In a separate task, in the order that the request's `RequestOrder` requires.
            case asynchronous(@Sendable (any ClientRequest, Caller) async throws -> EncodedOutcome)
        }

        /// The request.
        let type: any ClientRequest.Type
        /// Its handler.
        let handling: Handling
        /// The rate limit of each user, shared by all requests of the same rate; nil when there is none.
        fileprivate(set) var meter: RateMeter<RatedSubject>?

        private init(_ type: any ClientRequest.Type, _ handling: Handling) {
            self.type = type
            self.handling = handling
        }

        /// A request with an asynchronous handler.
        static func asynchronous<Request: ClientRequest>(
            _ type: Request.Type,
            _ handler: @escaping @Sendable (Request, Caller) async throws -> RequestOutcome<Request.Answer>
        ) -> Entry {
            Entry(
                type,
                .asynchronous { request, caller in
                    EncodedOutcome(try await handler(Self.cast(request), caller), for: caller)
                }
            )
        }

        /// A request whose handler only returns inputs for the world.
        static func immediate<Request: ClientRequest>(
            _ type: Request.Type,
            _ handler: @escaping @Sendable (Request, Caller) -> RequestOutcome<Request.Answer>
        ) -> Entry {
            Entry(
                type,
                .immediate { request, caller in EncodedOutcome(handler(Self.cast(request), caller), for: caller) }
            )
        }

        private static func cast<Request>(_ request: any ClientRequest) -> Request {
            guard let request = request as? Request else { preconditionFailure("the table is by the requests' types") }
            return request
        }
    }

    /// The entries, in the order in which features list them.
    let entries: [Entry]
    private let places: [ObjectIdentifier: Int]

    /// Creates a table.
    ///
    /// - Parameters:
    ///   - entries: the entries; no request is listed twice.
    ///   - adjust: returns the rate limit to use in place of a request's own.
    init(_ entries: [Entry], limits adjust: (RequestRate) -> RequestRate = { $0 }) {
        var meters: [RequestRate: RateMeter<RatedSubject>] = [:]
        self.entries = entries.map { entry in
            var entry = entry
            entry.meter = entry.type.rate.map(adjust).map { rate in
                let meter = meters[rate] ?? RateMeter(rate)
                meters[rate] = meter
                return meter
            }
            return entry
        }
        self.places = Dictionary(entries.enumerated().map { (ObjectIdentifier($0.element.type), $0.offset) }) {
            _,
            again in
            preconditionFailure("\(entries[again].type) is listed twice")
        }
    }

    /// The part of the table that a decoder needs.
    var catalog: RequestCatalog { RequestCatalog(self.entries.map(\.type)) }

    /// The entry of a request.
    func entry(for request: any ClientRequest) -> Entry {
        guard let place = self.places[ObjectIdentifier(type(of: request))] else {
            preconditionFailure("a decoder knows only the requests of its table")
        }
        return self.entries[place]
    }
}

extension RequestTable.Entry {
    /// A request whose handler uses the directory; fails with `unavailable` while storage is unavailable.
    static func directory<Request: ClientRequest>(
        _ type: Request.Type,
        _ services: any RequestServices,
        _ handler:
            @escaping @Sendable (Request, Caller, Directory) async throws
            -> RequestOutcome<Request.Answer>
    ) -> Self {
        .asynchronous(type) { request, caller in
            let directory = try services.readyDirectory()
            let limit = type.order == .barrier ? services.barrierLimit : services.requestLimit
            return try await limit.run(for: caller.user) {
                try await handler(request, caller, directory)
            }
        }
    }
}
