import Foundation
import MusterCore

/// A file of places: its kind by its name, and what is said of its source.
package struct PlaceFile: Sendable {
    /// How it is written.
    package enum Format: Sendable, Equatable {
        /// GeoNames' dump, plain or in a ZIP file.
        case geoNames(isZipped: Bool)
        /// OpenStreetMap's PBF, which `osmium export` turns into GeoJSON.
        case openStreetMap
        /// GeoJSON, one feature after the other or a collection of them.
        case geoJSON
    }

    /// Where it is.
    package let path: String
    /// How it is written.
    package let format: Format
    /// The name of the gazetteer that it becomes.
    package var source: String
    /// Under which licence its places may be shown.
    package var licence: String
    /// Whom to name beside them.
    package var attribution: String
    /// Whether places that another gazetteer has too are left to that one.
    package var yields = false

    /// Names a file.
    ///
    /// - Throws: that its kind is not known.
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
            self.licence = "as its owner says"
            self.attribution = self.source
        }
    }

    /// The cities that come with Debian's `libtimezonemap-data`, in its folder; nil when they are not there.
    package static func installed(in folder: String) -> PlaceFile? {
        let path = "\(folder)/cities15000.txt"
        guard FileManager.default.isReadableFile(atPath: path), var file = try? PlaceFile(path: path) else {
            return nil
        }
        file.yields = true
        return file
    }

    /// Opens it for reading.
    ///
    /// - Throws: that it cannot be read, or is by its first bytes not what its name says.
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
