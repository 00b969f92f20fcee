import Foundation

/// The features of an OpenStreetMap extract, as rows of PostgreSQL's text format: geometry and tags.
final class OsmiumExtract {
    /// A closed way is a line if it is a road, a railway, a river, a coast or a border, and otherwise an area.
    private static let configuration = """
        {"linear_tags": ["highway=*", "railway=*", "waterway=river,canal,stream", "natural=coastline",
        "boundary=administrative"],
        "area_tags": ["building=*", "landuse=*", "leisure=*", "natural=*", "amenity=*", "tourism=*", "shop=*",
        "man_made=pier", "waterway=riverbank,dock"]}
        """
    /// The line that osmium writes for a feature whose nodes or ways are not in the extract.
    private static let cutLine = "Geometry error"

    private let path: String
    private let program: ProgramBytes

    /// Starts osmium.
    ///
    /// - Parameters:
    ///   - path: the extract.
    ///   - folder: the folder for temporary files, which its owner deletes.
    ///   - memory: the megabytes above which the positions of nodes are in a temporary file.
    /// - Throws: an error when osmium cannot be started.
    init(_ path: String, in folder: URL, memory: Int) throws(PlaceImportError) {
        self.path = path
        let configuration = folder.appending(path: "osmium.json")
        do {
            try Data(Self.configuration.utf8).write(to: configuration)
        } catch {
            throw PlaceImportError(.unreadable, "cannot write '\(configuration.path)': \(error.localizedDescription)")
        }
        let size = (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
        let index = size > memory << 20 ? "sparse_file_array,\(folder.appending(path: "nodes").path)" : "flex_mem"
        self.program = try ProgramBytes(
            "osmium",
            [
                "export", "--no-progress", "--show-errors", "--input-format=pbf", "--output-format=pg",
                "--index-type=\(index)", "--config=\(configuration.path)", "--output=-", path,
            ],
            in: folder,
            passingOver: Self.cutLine
        )
    }

    /// The next bytes; nil at the end.
    func next() throws(PlaceImportError) -> [UInt8]? {
        do throws(ProgramFailure) {
            return try self.program.next()
        } catch {
            throw Self.error(error, self.path)
        }
    }

    /// The number of features that were left out because the extract does not contain all of them.
    ///
    /// Valid at the end.
    var cutFeatures: Int { self.program.passedOverCount }

    /// The box in the header of an extract; nil when it has none.
    static func box(of path: String, in folder: URL) throws(PlaceImportError) -> MapBounds? {
        let program = try ProgramBytes(
            "osmium",
            ["fileinfo", "--input-format=pbf", "--get=header.boxes", path],
            in: folder
        )
        var output: [UInt8] = []
        do throws(ProgramFailure) {
            while let bytes = try program.next() { output += bytes }
        } catch {
            throw Self.error(error, path)
        }
        // One line for each box: (west,south,east,north).
        let boxes = String(decoding: output, as: UTF8.self).split(separator: "\n").compactMap { line -> MapBounds? in
            let numbers = line.split { "(), ".contains($0) }.compactMap { Double($0) }
            guard numbers.count == 4, numbers[0] < numbers[2], numbers[1] < numbers[3] else { return nil }
            return MapBounds(west: numbers[0], south: numbers[1], east: numbers[2], north: numbers[3])
        }
        return boxes.dropFirst().reduce(boxes.first) { $0?.union($1) }
    }

    private static func error(_ failure: ProgramFailure, _ path: String) -> PlaceImportError {
        PlaceImportError(.unreadable, OsmiumBytes.explanation(of: failure, file: path))
    }
}
