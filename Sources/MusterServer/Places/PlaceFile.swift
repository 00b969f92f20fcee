import Foundation
import MusterCore

/// A file of places: the format, from its name, and the metadata of its source.
package struct PlaceFile: Sendable {
    /// The file format.
    package enum Format: Sendable, Equatable {
        /// GeoNames' dump, plain or in a ZIP file.
        case geoNames(isZipped: Bool)
        /// OpenStreetMap's PBF, which `osmium export` turns into GeoJSON.
        case openStreetMap
        /// GeoJSON: a sequence or a collection of features.
        case geoJSON
    }

    /// The path of the file.
    package let path: String
    /// The format of the file.
    package let format: Format
    /// The name of the resulting gazetteer.
    package var source: String
    /// The licence of the places.
    package var licence: String
    /// The attribution to show with the places.
    package var attribution: String
    /// Whether places that another gazetteer also has are left to that one.
    var yields = false

    /// Describes a file by its name.
    ///
    /// - Throws: an error for an unsupported format.
    package init(path: String) throws(PlaceImportError) {
        self.path = path
        let name = (path.split(separator: "/").last.map(String.init) ?? path).lowercased()
        let kinds: [(ending: String, prefix: String, format: Format)] = [
            (".osm.pbf", "osm-", .openStreetMap), (".pbf", "osm-", .openStreetMap),
            (".txt", "geonames-", .geoNames(isZipped: false)),
            (".zip", "geonames-", .geoNames(isZipped: true)), (".geojson", "geojson-", .geoJSON),
            (".geojsonl", "geojson-", .geoJSON), (".geojsonseq", "geojson-", .geoJSON), (".json", "geojson-", .geoJSON),
        ]
        guard let kind = kinds.first(where: { name.hasSuffix($0.ending) }) else {
            throw PlaceImportError(.unreadable, Self.complaint(of: path, named: name))
        }
        self.format = kind.format
        let stem = name.dropLast(kind.ending.count).map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }
        self.source = String((kind.prefix + String(stem)).prefix(60))
        switch kind.format {
        case .geoNames:
            self.licence = "CC BY 4.0"
            self.attribution = "GeoNames (geonames.org), CC BY 4.0"
        case .openStreetMap:
            self.licence = "ODbL 1.0"
            self.attribution = "© OpenStreetMap contributors (openstreetmap.org/copyright)"
        case .geoJSON:
            self.licence = "see the owner's terms"
            self.attribution = self.source
        }
    }

    /// The cities of Debian's `libtimezonemap-data` in `folder`; nil when the file does not exist.
    package static func installed(in folder: String) -> PlaceFile? {
        let path = "\(folder)/cities15000.txt"
        guard FileManager.default.isReadableFile(atPath: path), var file = try? PlaceFile(path: path) else {
            return nil
        }
        file.yields = true
        return file
    }

    /// Opens the file for reading.
    ///
    /// - Throws: an error when the file cannot be read, or its first bytes do not match its name.
    func open() throws(PlaceImportError) -> any ByteSource {
        try self.checkContents()
        switch self.format {
        case .geoNames(true): return try ZipBytes(path: self.path)
        case .geoNames(false), .geoJSON: return try FileBytes(path: self.path)
        case .openStreetMap:
            let configuration = FileManager.default.temporaryDirectory
                .appending(path: "muster-osmium-\(UUID().uuidString).json")
            do {
                try Data(Self.osmiumConfiguration.utf8).write(to: configuration)
            } catch {
                throw PlaceImportError(.unreadable, "cannot write '\(configuration.path)': \(error)")
            }
            return try OsmiumBytes(file: self.path, configuration: configuration)
        }
    }

    /// A closed way is an area, unless it is a road.
    private static let osmiumConfiguration = """
        {"linear_tags": ["highway=*"], "area_tags": ["amenity=*", "leisure=*", "tourism=*", "historic=*", "shop=*",
        "natural=*", "place=*", "building=*", "addr:housenumber=*"]}
        """
}
