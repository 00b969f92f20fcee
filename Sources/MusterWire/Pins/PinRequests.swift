package import MusterCore

/// Says where one is, in place of what one said before.
package struct PinPost: ClientRequest {
    package typealias Answer = PinAnswer
    package static let type = "pin.post"
    package static let order = RequestOrder.line("pins")
    package static let rate: RequestRate? = .pinPost

    /// What one says, 1…200 characters in one line.
    package var text: String
    @Degrees package var lat: Double
    @Degrees package var lon: Double
    /// A web address, as `WebLink` takes them.
    package var link: String?
    /// Whether nobody is to know the place better than by the 0.01° grid.
    package var approximate: Bool?
    /// The revision of one's pin that this one replaces; nil when one has none.
    package var replace: Int64?

    /// Describes a pin.
    package init(
        _ text: String,
        at place: Coordinate,
        link: String? = nil,
        isApproximate: Bool? = nil,
        replacing revision: Int64? = nil
    ) {
        self.text = text
        self.lat = place.latitude
        self.lon = place.longitude
        self.link = link
        self.approximate = isApproximate
        self.replace = revision
    }

    package init(reading fields: JSONFields) throws(FrameError) {
        self.init(
            try fields.required("text", fields.text("text", Pin.textRule)),
            at: try fields.coordinate(),
            link: try fields.webLink("link"),
            isApproximate: try fields.flag("approximate"),
            replacing: try fields.integer("replace", in: 0...9_007_199_254_740_991)
        )
    }

    /// Where others are to see it.
    package var place: Coordinate {
        let place = Coordinate(latitude: self.lat, longitude: self.lon)
        return self.approximate == true ? place.snappedToGrid : place
    }
}

/// Asks for one's own pin.
package struct PinGet: ClientRequest {
    package typealias Answer = OwnPinAnswer
    package static let type = "pin.get"
    package static let order = RequestOrder.behind(line: "pins")

    /// Asks for it.
    package init() {}

    package init(reading fields: JSONFields) throws(FrameError) {}
}

/// Deletes one's own pin.
package struct PinDelete: ClientRequest {
    package static let type = "pin.delete"
    package static let order = RequestOrder.line("pins")

    /// Asks for it.
    package init() {}

    package init(reading fields: JSONFields) throws(FrameError) {}
}

/// Asks for a page of everybody's pins, the newest first.
package struct PinsAll: ClientRequest {
    package typealias Answer = PinsAnswer
    package static let type = "pins.all"
    package static let order = RequestOrder.behind(line: "pins")

    /// How many pins one answer may hold.
    package static let limitRange = 1...100

    /// How many, 1…100.
    package var limit: Int
    /// The last of the page before; nil for the first page.
    package var after: PinCursor?

    /// Asks for a page.
    package init(limit: Int, after: PinCursor? = nil) {
        self.limit = limit
        self.after = after
    }

    package init(reading fields: JSONFields) throws(FrameError) {
        let cursor = try fields.string("after", length: 1...64)
        let after = cursor.flatMap { PinCursor($0) }
        guard cursor == nil || after != nil else { throw fields.error("after", "must be next of an answer") }
        self.init(limit: try fields.required("limit", fields.integer("limit", in: Self.limitRange)), after: after)
    }
}
