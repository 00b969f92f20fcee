import MusterCore
import MusterWire

/// A pin as all users see it.
struct PinView: Encodable, Equatable, Sendable {
    private let id: PinID
    private let user: UserView
    private let text: String
    private let label: String
    @Degrees private var lat: Double
    @Degrees private var lon: Double
    @Nullable private var link: String?
    private let at: Timestamp
    private let revision: Int64

    /// Creates the view of a pin.
    init(_ pin: Pin) {
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

/// The current pin.
struct PinAnswer: Encodable, Equatable, Sendable {
    private let pin: PinView

    /// Creates the answer for a pin.
    init(_ pin: Pin) { self.pin = PinView(pin) }
}

/// The user's own pin; nil when there is none.
struct OwnPinAnswer: Encodable, Equatable, Sendable {
    @Nullable private var pin: PinView?

    /// Creates the answer for a pin or for none.
    init(_ pin: Pin?) { self.pin = pin.map { PinView($0) } }
}

/// Pins in descending order of their time.
struct PinsAnswer: Encodable, Equatable, Sendable {
    private let pins: [PinView]
    @Nullable private var next: PinCursor?
    private let total: Int
    private let attribution: [String]

    /// Creates a page of pins, with the cursor after it, the total number of pins, and the attributions of the labels.
    init(_ pins: [Pin], next: PinCursor?, total: Int, attribution: [String]) {
        self.pins = pins.map { PinView($0) }
        self.next = next
        self.total = total
        self.attribution = attribution
    }
}

extension FrameError {
    /// Creates the conflict error for a user who already has a pin, or another one than the request assumes.
    static func pinConflict(_ pin: Pin) -> FrameError {
        FrameError(
            .conflict,
            message: "You already have a pin. To replace it, send its revision in replace.",
            conflict: ConflictState("pin", PinView(pin))
        )
    }
}
