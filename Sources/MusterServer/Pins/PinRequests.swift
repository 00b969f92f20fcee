import MusterCore
import MusterWire

/// Posts the user's pin, in place of an earlier one.
struct PinPost: ClientRequest {
    typealias Answer = PinAnswer
    static let type = "pin.post"
    static let order = RequestOrder.line("pins")
    static let rate: RequestRate? = .pinPost

    /// The text, 1…200 characters in one line.
    var text: String
    var coordinate: Coordinate
    /// A web address that `WebLink` accepts.
    var link: String?
    /// Whether the place is only visible in the precision of the 0.01° grid.
    var approximate: Bool?
    /// The revision of the user's pin that is replaced; nil when there is none.
    var replace: Int64?

    /// Creates a request.
    init(
        _ text: String,
        at place: Coordinate,
        link: String? = nil,
        isApproximate: Bool? = nil,
        replacing revision: Int64? = nil
    ) {
        self.text = text
        self.coordinate = place
        self.link = link
        self.approximate = isApproximate
        self.replace = revision
    }

    init(reading fields: JSONFields) throws(FrameError) {
        self.init(
            try fields.required("text", fields.text("text", Pin.textRule)),
            at: try fields.coordinate(),
            link: try fields.webLink("link"),
            isApproximate: try fields.flag("approximate"),
            replacing: try fields.integer("replace", in: 0...9_007_199_254_740_991)
        )
    }

    /// The place that is visible to other users.
    var place: Coordinate {
        self.approximate == true ? self.coordinate.snappedToGrid : self.coordinate
    }
}

/// Requests the user's own pin.
struct PinGet: ClientRequest {
    typealias Answer = OwnPinAnswer
    static let type = "pin.get"
    static let order = RequestOrder.behind(line: "pins")

    /// Creates a request.
    init() {}

    init(reading fields: JSONFields) throws(FrameError) {}
}

/// Deletes the user's own pin.
struct PinDelete: ClientRequest {
    static let type = "pin.delete"
    static let order = RequestOrder.line("pins")

    /// Creates a request.
    init() {}

    init(reading fields: JSONFields) throws(FrameError) {}
}

/// Requests a page of all users' pins, in descending order of their time.
struct PinsAll: ClientRequest {
    typealias Answer = PinsAnswer
    static let type = "pins.all"
    static let order = RequestOrder.behind(line: "pins")

    /// The allowed number of pins in one answer.
    static let limitRange = 1...100

    /// The maximum number of pins, 1…100.
    var limit: Int
    /// The last pin of the previous page; nil for the first page.
    var after: PinCursor?

    /// Creates a request.
    init(limit: Int, after: PinCursor? = nil) {
        self.limit = limit
        self.after = after
    }

    init(reading fields: JSONFields) throws(FrameError) {
        let cursor = try fields.string("after", length: 1...64)
        let after = cursor.flatMap { PinCursor($0) }
        guard cursor == nil || after != nil else {
            throw fields.error("after", "must be the value of next in an earlier answer")
        }
        self.init(limit: try fields.required("limit", fields.integer("limit", in: Self.limitRange)), after: after)
    }
}
