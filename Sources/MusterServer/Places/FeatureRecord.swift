import Foundation
import MusterCore

// The input is GeoJSON features: from `osmium export`, with OpenStreetMap's tags as properties, or from other programs,
// with at least a name. A feature is, in this order: a town or area (`place`), a place with a category, a named street,
// or a house with its number and street. Other features count as places only in files that are not from OpenStreetMap,
// and only with a name.

/// Converts GeoJSON features to places.
struct FeatureRecord {
    /// The result of reading a feature.
    enum Outcome {
        case place(PlaceRecord)
        /// The feature is valid, but not a place.
        case nothing
        /// The feature is valid, but has no position.
        case unlocated
        /// The feature is invalid, for the given reason.
        case damaged(String)
    }

    /// The prefix for ids of features without an OpenStreetMap id: `source:`; nil for a file from OpenStreetMap.
    let idPrefix: String?

    private static let keptTags: Set<String> = [
        "opening_hours", "cuisine", "website", "contact:website", "phone", "contact:phone", "wikidata", "wikipedia",
        "addr:street", "addr:housenumber", "addr:postcode", "addr:city", "fee", "wheelchair", "stars",
    ]
    private static let otherNameKeys: Set<String> = [
        "alt_name", "int_name", "official_name", "old_name", "short_name", "loc_name", "reg_name",
    ]

    /// Reads a feature; `number` is its index in the file.
    func read(_ bytes: [UInt8], number: Int) -> Outcome {
        guard let json = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any] else {
            return .damaged("is no JSON in UTF-8")
        }
        if json["type"] as? String == "FeatureCollection", (json["features"] as? [Any])?.isEmpty == true {
            return .nothing
        }
        guard json["type"] as? String == "Feature" else {
            return .damaged("is no GeoJSON feature: its `type` must be `Feature`")
        }
        guard let geometry = json["geometry"] else { return .damaged("has no `geometry`") }
        if geometry is NSNull { return .unlocated }
        let shape: FeatureShape
        do throws(FeatureShape.Problem) {
            shape = try FeatureShape(geometry)
        } catch {
            return error == .empty ? .unlocated : .damaged(error.rawValue)
        }
        let tags = (json["properties"] as? [String: Any] ?? [:]).compactMapValues { value in
            value as? String ?? (value as? NSNumber)?.stringValue
        }
        guard let id = self.identifier(json["id"], number) else { return .damaged("has no `id` of OpenStreetMap") }
        guard var record = self.place(id, tags, shape) else { return .nothing }
        record.extent = shape.extent
        return .place(record)
    }

    private func place(_ id: String, _ tags: [String: String], _ shape: FeatureShape) -> PlaceRecord? {
        let name = tags["name"].flatMap { $0.isEmpty || $0.utf8.contains(0) ? nil : $0 }
        let people = tags["population"].flatMap { Int64($0) }.map { max(0, $0) } ?? 0
        if let name, let type = tags["place"].flatMap(Self.type(ofPlace:)) {
            let seat: PlaceImportance.Seat =
                tags["capital"] == "yes" ? .ofCountry : tags["capital"] == "4" ? .ofState : .none
            var record = self.record(id, name, type, tags, shape, PlaceImportance.of(type, people: people, seat: seat))
            record.population = people
            return record
        }
        if let name, let category = PlaceCategory(tags: tags) {
            let importance = PlaceImportance.of(.other, people: 0, fame: PlaceImportance.fame(tags: tags))
            var record = self.record(id, name, .other, tags, shape, importance)
            record.category = category
            let kept = Self.keptTags.union(category.tags.map(\.key))
            record.tags = tags.filter { kept.contains($0.key) }
            return record
        }
        if let name, tags["highway"] != nil {
            var record = self.record(id, name, .street, tags, shape, PlaceImportance.of(.street, people: 0))
            if shape.isLine, shape.points.count > 1 { record.shape = .line(shape.points) }
            return record
        }
        if let number = tags["addr:housenumber"], let street = tags["addr:street"] ?? tags["addr:place"],
            !number.isEmpty
        {
            let importance = PlaceImportance.of(.house, people: 0)
            var record = self.record(id, "\(street) \(number)", .house, [:], shape, importance)
            record.ownNames = ["\(number) \(street)"]
            return record
        }
        guard self.idPrefix != nil, let name else { return nil }
        let type = tags["type"].flatMap(PlaceType.init(rawValue:)) ?? .other
        let importance = PlaceImportance.of(type, people: people, fame: PlaceImportance.fame(tags: tags))
        var record = self.record(id, name, type, tags, shape, importance)
        record.category = tags["category"].flatMap(PlaceCategory.init(rawValue:))
        record.population = people
        return record
    }

    private func record(
        _ id: String,
        _ name: String,
        _ type: PlaceType,
        _ tags: [String: String],
        _ shape: FeatureShape,
        _ importance: Double
    ) -> PlaceRecord {
        var record = PlaceRecord(id: id, name: name, type: type, coordinate: shape.centre, importance: importance)
        record.otherNames = tags.filter { Self.otherNameKeys.contains($0.key) || $0.key.hasPrefix("name:") }
            .sorted { $0.key < $1.key }
            .flatMap { $0.value.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) } }
        return record
    }

    /// The id of a feature; an OpenStreetMap id has a letter for node, way or relation, such as `osm:n1`.
    ///
    /// The id of an area is twice the id of its way, or twice the id of its relation plus one.
    private func identifier(_ id: Any?, _ number: Int) -> String? {
        if let text = id as? String, let kind = text.first, "nwra".contains(kind), let value = Int64(text.dropFirst()) {
            guard kind == "a" else { return "osm:\(text)" }
            return value.isMultiple(of: 2) ? "osm:w\(value / 2)" : "osm:r\(value / 2)"
        }
        guard let idPrefix else { return nil }
        let own = (id as? String) ?? (id as? NSNumber)?.stringValue ?? String(number)
        let whole = idPrefix + own
        return whole.unicodeScalars.count <= 64 && !whole.utf8.contains(0) ? whole : "\(idPrefix)\(number)"
    }

    private static func type(ofPlace value: String) -> PlaceType? {
        switch value {
        case "city", "town", "village", "hamlet", "municipality", "isolated_dwelling": .city
        case "suburb", "quarter", "neighbourhood", "borough", "locality", "island", "islet", "square": .locality
        case "state", "province", "region": .state
        case "country": .country
        case _: nil
        }
    }
}
