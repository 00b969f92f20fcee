package import MusterCore

/// A pin as everybody sees it.
package struct PinView: Encodable, Equatable, Sendable {
    private let id: PinID
    private let user: UserView
    private let text: String
    private let label: String
    @Degrees private var lat: Double
    @Degrees private var lon: Double
    @Nullable private var link: String?
    private let at: Timestamp
    private let revision: Int64

    /// Shows a pin.
    package init(_ pin: Pin) {
        self.id = pin.id
        self.user = UserView(pin.person)
        self.text = pin.text
        self.label = pin.label
        self.lat = pin.coordinate.latitude
        self.lon = pin.coordinate.longitude
        self.link = pin.link
        self.at = pin.at
        self.revision = pin.revision
    }
}

/// The pin as it is now.
package struct PinAnswer: Encodable, Equatable, Sendable {
    private let pin: PinView

    /// Shows a pin.
    package init(_ pin: Pin) { self.pin = PinView(pin) }
}

/// One's own pin, when there is one.
package struct OwnPinAnswer: Encodable, Equatable, Sendable {
    @Nullable private var pin: PinView?

    /// Shows a pin, or that there is none.
    package init(_ pin: Pin?) { self.pin = pin.map { PinView($0) } }
}

/// Pins, the newest first.
package struct PinsAnswer: Encodable, Equatable, Sendable {
    private let pins: [PinView]
    @Nullable private var next: PinCursor?
    private let total: Int
    private let attribution: [String]

    /// Shows a page of pins, behind which one the next of them are, how many there are in all, and whom to name beside the labels.
    package init(_ pins: [Pin], next: PinCursor?, total: Int, attribution: [String]) {
        self.pins = pins.map { PinView($0) }
        self.next = next
        self.total = total
        self.attribution = attribution
    }
}

extension FrameError {
    /// Says that one has a pin already, or another than one thinks.
    package static func pinStands(_ pin: Pin) -> FrameError {
        FrameError(
            .conflict,
            message: "You already have a pin: send its revision as replace.",
            standing: StandingState("pin", PinView(pin))
        )
    }
}
