/// A position with a text that a user publishes to all signed-in users.
package struct Pin: Sendable, Equatable {
    /// The rule for texts.
    package static let textRule = TextRule.line(1...200)

    /// The maximum number of characters of the place name.
    static let placeNameLength = 500

    /// The id, which stays the same when the pin is replaced.
    package var id: PinID
    /// The owner.
    package var person: UserProfile
    /// The text of the owner, 1…200 characters in one line.
    package var text: String
    /// The name of the place found by the server; nil when there is none.
    package var placeName: String?
    package var coordinate: Coordinate
    /// A web address that `WebLink` accepts.
    package var link: String?
    /// The time of posting or of the last replacement.
    package var at: Timestamp
    /// The revision, which rises with every change.
    package var revision: Int64

    /// Creates a pin.
    package init(
        id: PinID,
        person: UserProfile,
        text: String,
        placeName: String? = nil,
        coordinate: Coordinate,
        link: String? = nil,
        at: Timestamp,
        revision: Int64
    ) {
        self.id = id
        self.person = person
        self.text = text
        self.placeName = placeName
        self.coordinate = coordinate
        self.link = link
        self.at = at
        self.revision = revision
    }

    /// The display name of a place found for a pin; a city gets the prefix "near".
    package static func placeName(of place: Place) -> String {
        let label = place.type == .city ? "near \(place.label)" : place.label
        return Excerpt.of(label, longest: Self.placeNameLength)
    }

    /// The name of the place, or its coordinates.
    package var label: String { self.placeName ?? self.coordinate.label }
}

extension Coordinate {
    /// Latitude and longitude in degrees with at most four decimals, about ten metres: `48.2082, 16.3738`.
    package var label: String {
        // Adding 0 turns a negative zero into a positive one.
        func rounded(_ degrees: Double) -> Double { (degrees * 10_000).rounded() / 10_000 + 0 }
        return "\(rounded(self.latitude)), \(rounded(self.longitude))"
    }
}
