/// Where a person says that they are, for everybody who is signed in.
package struct Pin: Sendable, Equatable {
    /// What the text must be.
    package static let textRule = TextRule.line(1...200)

    /// The most characters of the place's name.
    package static let placeNameLength = 500

    /// It stays when the pin is replaced.
    package var id: PinID
    /// Whose it is.
    package var person: UserProfile
    /// What the person says, 1…200 characters in one line.
    package var text: String
    /// The place in the server's words; nil where it knows none.
    package var placeName: String?
    package var coordinate: Coordinate
    /// A web address, as `WebLink` takes them.
    package var link: String?
    /// When it was posted, or replaced.
    package var at: Timestamp
    /// Rises with every change.
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

    /// What a place that was found for a pin is called: a city is near, a street is there.
    package static func placeName(of place: Place) -> String {
        let label = place.type == .city ? "near \(place.label)" : place.label
        return Excerpt.of(label, longest: Self.placeNameLength)
    }

    /// What the place is called, or where it is.
    package var label: String { self.placeName ?? self.coordinate.label }
}

extension Coordinate {
    /// Latitude and longitude in degrees with four decimals at most, about ten metres: `48.2082, 16.3738`.
    package var label: String {
        // Adding 0 turns a negative zero into one that has no sign.
        func rounded(_ degrees: Double) -> Double { (degrees * 10_000).rounded() / 10_000 + 0 }
        return "\(rounded(self.latitude)), \(rounded(self.longitude))"
    }
}
