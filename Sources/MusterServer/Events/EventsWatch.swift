import MusterCore
import MusterWire

/// Subscribes the session to events, in place of its earlier subscription.
struct EventsWatch: ClientRequest {
    typealias Answer = EventsWatchAnswer
    static let type = "events.watch"
    static let order = RequestOrder.line("events.watch")
    static let rate: RequestRate? = .eventsWatch

    /// The allowed radius around a center, in metres.
    static let radiusRange = 500.0...50_000.0
    /// The rule for search words.
    static let wordsRule = TextRule.line(1...80)

    /// The new subscription; nil for none.
    var subscription: EventSubscription?

    /// Creates a request.
    init(_ subscription: EventSubscription?) { self.subscription = subscription }

    init(reading fields: JSONFields) throws(FrameError) {
        let scope: Scope? = try fields.choice("scope")
        let numbers = try fields.numbers("bbox", count: 4)
        let named = [scope != nil, numbers != nil, !fields.isMissing("center")]
        guard named.count(where: { $0 }) == 1 else {
            throw fields.error("bbox", "is required unless center or scope is set; send exactly one of the three")
        }
        guard scope == nil else {
            self.init(nil)
            return
        }
        let place: EventSubscription.Scope
        if let numbers { place = .area(try fields.box(numbers)) } else { place = try fields.circle() }
        let since = try fields.timestamp("since")
        let until = try fields.timestamp("until")
        if let until, let since, until <= since { throw fields.error("until", "must be after since") }
        self.init(
            EventSubscription(
                place,
                since: since,
                until: until,
                category: try fields.text("category", Event.categoryRule),
                group: try fields.identifier("group"),
                isFree: try fields.flag("free") ?? false,
                words: try fields.text("q", Self.wordsRule)
            )
        )
    }

    /// The scope of an empty subscription.
    enum Scope: String, CaseIterable {
        case none
    }
}

extension JSONFields {
    /// Returns the box of four numbers in degrees, whose west may be greater than its east.
    fileprivate func box(_ numbers: [Double]) throws(FrameError) -> Area {
        try self.requireBox(numbers)
        return .box(south: numbers[1], west: numbers[0], north: numbers[3], east: numbers[2])
    }

    /// Decodes `center` and `radius`.
    fileprivate func circle() throws(FrameError) -> EventSubscription.Scope {
        let radius = try self.required("radius", self.number("radius", in: EventsWatch.radiusRange))
        if self.isText("center", "me") { return .me(radius: radius) }
        guard let center = try self.object("center") else { throw self.error("center", "is required") }
        return .area(.circle(try center.coordinate(), radius: radius))
    }
}
