import Foundation
import MusterCore

// City files identify the country by two letters and the state by a code. Names come from GeoNames' countryInfo.txt and
// admin1Codes.txt, from `Locale` for countries in all languages, and from `AreaCodes` for common variants. These tables
// contain no coordinates of areas; an area lies at the population-weighted centre of its cities.

/// Countries and states: ids, names, and values derived from their cities.
package struct AreaTable {
    /// A country or a state.
    struct Area {
        var id: String
        var name: String
        var ownNames: [String] = []
        var otherNames: [String] = []
        var countryCode: String
        var population: Int64 = 0
        /// Whether the file contained the population.
        var hasPopulation = false
        /// The population-weighted sum of the cities' positions on the unit sphere.
        fileprivate var sum = (x: 0.0, y: 0.0, z: 0.0, weight: 0.0)
        /// Whether a city of the area was read.
        var isUsed: Bool { self.sum.weight > 0 }
    }

    /// The folder of GeoNames' files in Debian's `libtimezonemap-data`.
    package static let installedFolder = "/usr/share/libtimezonemap/ui"

    private(set) var countries: [String: Area] = [:]
    private(set) var states: [String: Area] = [:]

    /// Reads each table from the first folder that contains it.
    ///
    /// Without tables, countries have the names of `Locale`, and states have none.
    init(folders: [String]) {
        for code in Locale.Region.isoRegions.map(\.identifier) where code.utf8.count == 2 {
            self.countries[code] = Area(id: "iso:\(code)", name: code, countryCode: code)
        }
        for fields in Self.rows(of: ["countryInfo.txt"], in: folders)
        where fields.count > 16 && fields[0].utf8.count == 2 {
            var area = Area(id: "gn:\(fields[16])", name: fields[4], countryCode: fields[0])
            area.population = Int64(fields[7]) ?? 0
            area.hasPopulation = area.population > 0
            self.countries[fields[0]] = area
        }
        for fields in Self.rows(of: ["admin1Codes.txt", "admin1CodesASCII.txt"], in: folders) where fields.count > 3 {
            let parts = fields[0].split(separator: ".", maxSplits: 1)
            guard parts.count == 2, Int64(fields[3]) != nil, !fields[1].isEmpty else { continue }
            var area = Area(id: "gn:\(fields[3])", name: fields[1], countryCode: String(parts[0]))
            area.ownNames = [fields[2]]
            area.otherNames = AreaCodes.names[fields[0]] ?? []
            if let letters = AreaCodes.letters(ofState: String(parts[1])) { area.otherNames.append(letters) }
            self.states[fields[0]] = area
        }
        self.nameCountries()
    }

    /// The country with the given two-letter code.
    func country(_ code: String) -> Area? { self.countries[code] }

    /// The state with the given country and GeoNames code.
    func state(_ country: String, _ code: String) -> Area? { self.states["\(country).\(code)"] }

    /// Adds a city to the centres of its areas.
    mutating func note(_ row: GeoNamesRow) {
        let degree = Double.pi / 180
        let (latitude, longitude) = (row.coordinate.latitude * degree, row.coordinate.longitude * degree)
        let weight = Double(row.population) + 1
        let point = (x: cos(latitude) * cos(longitude), y: cos(latitude) * sin(longitude), z: sin(latitude))
        func pull(_ area: inout Area) {
            area.sum.x += weight * point.x
            area.sum.y += weight * point.y
            area.sum.z += weight * point.z
            area.sum.weight += weight
            if !area.hasPopulation { area.population += row.population }
        }
        if var country = self.countries[row.country] {
            pull(&country)
            self.countries[row.country] = country
        }
        let key = "\(row.country).\(row.state)"
        if var state = self.states[key] {
            pull(&state)
            self.states[key] = state
        }
    }

    /// Adds the names of a row that is itself a country or a state.
    mutating func note(_ row: GeoNamesRow, as type: PlaceType) {
        let names = [row.name, row.asciiName] + row.alternateNames
        if type == .country, var country = self.countries[row.country] {
            country.otherNames += names
            self.countries[row.country] = country
        } else if type == .state {
            let key = "\(row.country).\(row.state)"
            var state =
                self.states[key] ?? Area(id: "gn:\(row.number)", name: row.name, countryCode: row.country)
            state.otherNames += names
            if row.population > 0 {
                state.population = row.population
                state.hasPopulation = true
            }
            self.states[key] = state
        }
    }

    /// The areas with at least one city.
    func records() -> [PlaceRecord] {
        let countries = self.countries.values.filter(\.isUsed).map { self.record($0, .country) }
        let states = self.states.values.filter(\.isUsed).map { self.record($0, .state) }
        return (countries + states).sorted { $0.id < $1.id }
    }

    private func record(_ area: Area, _ type: PlaceType) -> PlaceRecord {
        let sum = area.sum
        var record = PlaceRecord(
            id: area.id,
            name: area.name,
            type: type,
            coordinate: Coordinate(
                latitude: atan2(sum.z, hypot(sum.x, sum.y)) * 180 / .pi,
                longitude: atan2(sum.y, sum.x) * 180 / .pi
            ),
            importance: PlaceImportance.of(type, people: area.population)
        )
        record.ownNames = area.ownNames
        record.otherNames = area.otherNames
        record.countryCode = area.countryCode
        record.population = area.population
        let country = self.countries[area.countryCode]?.id
        if type == .state {
            record.country = country
            record.parent = country
        }
        return record
    }

    private mutating func nameCountries() {
        let languages = Set(Locale.availableIdentifiers.compactMap { $0.split(separator: "_").first.map(String.init) })
        let english = Locale(identifier: "en")
        for code in self.countries.keys {
            if let name = english.localizedString(forRegionCode: code), name != code {
                if self.countries[code]?.name == code { self.countries[code]?.name = name }
                self.countries[code]?.ownNames.append(name)
            }
            self.countries[code]?.otherNames += AreaCodes.names[code] ?? []
        }
        for language in languages.sorted() {
            let locale = Locale(identifier: language)
            for code in self.countries.keys {
                guard let name = locale.localizedString(forRegionCode: code), name != code else { continue }
                self.countries[code]?.otherNames.append(name)
            }
        }
    }

    /// The rows of the first existing file among `names` in `folders`, without comments.
    private static func rows(of names: [String], in folders: [String]) -> [[String]] {
        for folder in folders {
            for name in names {
                guard let content = FileManager.default.contents(atPath: "\(folder)/\(name)") else { continue }
                return String(decoding: content, as: UTF8.self).fileLines
                    .filter { !$0.isEmpty && !$0.hasPrefix("#") }
                    .map { $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init) }
            }
        }
        return []
    }
}
