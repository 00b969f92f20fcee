// A line of a GeoNames dump (download.geonames.org/export/dump/readme.txt), with fields separated by tabs:
//
//   0 geonameid · 1 name · 2 asciiname · 3 alternatenames (by commas) · 4 latitude · 5 longitude · 6 feature class
//   7 feature code · 8 country · 9 cc2 · 10 admin1 · 11–13 admin2–4 · 14 population · 15 elevation · 16 dem
//   17 timezone · 18 modified

/// A place from GeoNames.
package struct GeoNamesRow: Sendable {
    package let number: Int64
    package let name: String
    package let asciiName: String
    package let alternateNames: [String]
    package let coordinate: Coordinate
    /// Feature class and code: `P.PPLC`.
    let featureClass: String
    let featureCode: String
    /// ISO 3166-1, two letters; may be empty.
    package let country: String
    /// The first level below the country; may be empty.
    package let state: String
    package let population: Int64
    package let timezone: String?

    /// Parses a line.
    ///
    /// - Returns: nil for an invalid line: too few fields, no number, no name, or a position that is not on earth.
    package init?(_ line: ArraySlice<UInt8>) {
        let fields = line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
        guard fields.count >= 15 else { return nil }
        func text(_ field: Int) -> String? { String(validating: fields[field], as: UTF8.self) }
        guard let number = text(0).flatMap({ Int64($0) }), number > 0,
            let name = text(1), !name.isEmpty, name.utf8.count <= 400,
            let asciiName = text(2), let alternates = text(3),
            let latitude = text(4).flatMap({ Double($0) }), let longitude = text(5).flatMap({ Double($0) }),
            let coordinate = Coordinate(validating: latitude, longitude),
            let featureClass = text(6), let featureCode = text(7),
            let country = text(8), country.utf8.count <= 2, let state = text(10), state.utf8.count <= 20,
            !name.utf8.contains(0), !alternates.utf8.contains(0)
        else { return nil }
        let people = text(14) ?? ""
        guard let population = people.isEmpty ? 0 : Int64(people), population >= 0 else { return nil }
        self.number = number
        self.name = name
        self.asciiName = asciiName
        self.alternateNames = alternates.split(separator: ",").map(String.init)
        self.coordinate = coordinate
        self.featureClass = featureClass
        self.featureCode = featureCode
        self.country = country
        self.state = state
        self.population = population
        self.timezone = fields.count > 17 ? text(17).flatMap { $0.isEmpty ? nil : $0 } : nil
    }

    /// The fault of an invalid line.
    package static func problem(of line: ArraySlice<UInt8>) -> String {
        let fields = line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
        guard fields.count >= 15 else {
            return
                "has \(fields.count) field\(fields.count == 1 ? "" : "s"), and must have the 19 of GeoNames, separated by tabs"
        }
        let texts = fields.map { String(validating: $0, as: UTF8.self) }
        guard texts[0...14].allSatisfy({ $0 != nil }) else { return "is not UTF-8" }
        if texts[0].flatMap({ Int64($0) }) ?? 0 <= 0 { return "does not begin with the number of a place, 1 or more" }
        if texts[1]?.isEmpty != false { return "has no name" }
        let latitude = texts[4].flatMap { Double($0) } ?? .nan
        let longitude = texts[5].flatMap { Double($0) } ?? .nan
        if Coordinate(validating: latitude, longitude) == nil {
            return "has a position out of range: field 5 is the latitude, field 6 the longitude, in degrees"
        }
        return "has a field that is too long, or a numeric field that is not a number"
    }

    /// The type of the place; nil for one that is not a destination, such as a county.
    package var type: PlaceType? {
        switch (self.featureClass, self.featureCode) {
        case ("P", "PPLX"), ("P", "PPLL"): .locality
        case ("P", _): .city
        case ("A", "ADM1"): .state
        case ("A", let code) where code.hasPrefix("PCL"): .country
        case ("A", _): nil
        case ("R", "ST"), ("R", "RD"): .street
        case _: .other
        }
    }

    /// The area whose seat of government the place is.
    package var seat: PlaceImportance.Seat {
        switch self.featureCode {
        case "PPLC": .ofCountry
        case "PPLA": .ofState
        case _: .none
        }
    }
}
