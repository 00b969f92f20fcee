import CMusterShims
import MusterCore
import MusterWire

/// An encoder of Mapbox Vector Tile 2.1: one layer, named by the kind, with the same attributes as the JSON form.
///
/// Null values are omitted.
enum TileVector {
    /// Encodes a tile; the result is empty for a tile without features.
    static func encoded(_ content: TileContent, of kind: LayerKind) -> [UInt8] {
        guard !content.entries.isEmpty else { return [] }
        let writer = VectorWriter(layer: kind.name)
        for entry in content.entries {
            writer.addPoint(kind.featureID(entry.feature), x: entry.feature.x, y: entry.feature.y)
            for property in kind.properties(of: entry) { writer.add(property) }
        }
        return writer.finished()
    }

    /// Returns the numeric id of a feature: 53 bits, which are exact in JavaScript, of a hash of its id (FNV-1a).
    static func number(of id: String) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in id.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        return (hash ^ hash >> 53) & (1 << 53 - 1)
    }
}

/// The owner of a tile in progress.
private final class VectorWriter {
    private let handle: OpaquePointer

    init(layer: String) {
        var layer = layer
        let handle = layer.withUTF8 { name in
            name.withMemoryRebound(to: CChar.self) {
                muster_mvt_create($0.baseAddress, $0.count, UInt32(TileFeature.extent))
            }
        }
        guard let handle else { preconditionFailure("no memory for a tile") }
        self.handle = handle
    }

    deinit { muster_mvt_destroy(self.handle) }

    func addPoint(_ id: String, x: UInt16, y: UInt16) {
        muster_mvt_add_point(self.handle, TileVector.number(of: id), UInt32(x), UInt32(y))
    }

    func add(_ property: FeatureProperty) {
        Self.withText(property.name) { name in
            switch property.value {
            case nil: break
            case .bool(let value): muster_mvt_add_bool(self.handle, name.baseAddress, name.count, value)
            case .number(let value): muster_mvt_add_number(self.handle, name.baseAddress, name.count, Int64(value))
            case .text(let value):
                Self.withText(value) {
                    muster_mvt_add_text(self.handle, name.baseAddress, name.count, $0.baseAddress, $0.count)
                }
            }
        }
    }

    /// Returns a copy of the tile's bytes.
    func finished() -> [UInt8] {
        var bytes: UnsafePointer<UInt8>?
        let count = muster_mvt_finish(self.handle, &bytes)
        return Array(UnsafeBufferPointer(start: bytes, count: count))
    }

    private static func withText(_ text: String, _ body: (UnsafeBufferPointer<CChar>) -> Void) {
        var text = text
        text.withUTF8 { $0.withMemoryRebound(to: CChar.self, body) }
    }
}

@available(*, unavailable)
extension VectorWriter: Sendable {}
