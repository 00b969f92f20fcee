// A decoder of Mapbox Vector Tiles, version 2: https://github.com/mapbox/vector-tile-spec/tree/master/2.1
//
// A tile is a protobuf message: layers with features, whose attributes are pairs of indices into the layer's keys and
// values. A geometry is a list of commands (move, line, close), each with differences to the previous position.
//
// Each read is bounded by the end of its message, and each step consumes at least one byte. Any input therefore gives
// features or nil, in time proportional to its length.

/// A decoded vector tile.
struct VectorTile {
    /// A value of an attribute.
    enum Value: Equatable {
        case text(String)
        case number(Double)
        case flag(Bool)
        case unknown
    }

    /// A point, a line, or a ring of an area.
    struct Part: Equatable {
        /// The points in units of `extent` from the tile's corner.
        var points: [SIMD2<Double>]
        var isClosed = false
    }

    /// Something on the map.
    struct Feature: Equatable {
        var attributes: [String: Value] = [:]
        var parts: [Part] = []

        /// The text of an attribute; nil when it is absent or no text.
        func text(_ key: String) -> String? {
            if case .text(let text) = self.attributes[key] { text } else { nil }
        }

        /// Whether an attribute is true, or a number other than 0.
        func isSet(_ key: String) -> Bool {
            switch self.attributes[key] {
            case .flag(let flag): flag
            case .number(let number): number != 0
            case .text, .unknown, nil: false
            }
        }
    }

    /// The side of a decoded tile; other extents are scaled to it.
    static let extent = 4096.0
    /// The furthest position from a tile's corner, so that lengths of lines stay within reason.
    private static let furthest = 1_048_576.0

    private var layers: [String: [Feature]] = [:]

    /// Decodes the layers of these names; nil when the tile is damaged.
    ///
    /// Layers of one name, as a tile of several imports has them, are one layer.
    init?(decoding bytes: [UInt8], layers wanted: Set<String>) {
        var tile = ProtobufMessage(bytes[...])
        while tile.hasMore {
            guard let field = tile.readField() else { return nil }
            guard field == .init(number: 3, type: .message) else {
                guard tile.skip(field.type) else { return nil }
                continue
            }
            guard let message = tile.readMessage(), let layer = Layer(message, wanted) else { return nil }
            if let name = layer.name { self.layers[name, default: []] += layer.features }
        }
    }

    /// The features of a layer; empty when there is none of this name.
    subscript(_ name: String) -> [Feature] { self.layers[name] ?? [] }

    /// A layer while it is decoded.
    private struct Layer {
        /// The name; nil when the layer is not wanted.
        var name: String?
        var features: [Feature] = []

        init?(_ message: ProtobufMessage, _ wanted: Set<String>) {
            var rest = message
            var (keys, values, found): ([String], [Value], [ProtobufMessage]) = ([], [], [])
            var extent = VectorTile.extent
            while rest.hasMore {
                guard let field = rest.readField() else { return nil }
                switch (field.number, field.type) {
                case (1, .message):
                    guard let text = rest.readText() else { return nil }
                    guard wanted.contains(text) else { return }
                    self.name = text
                case (2, .message):
                    guard let feature = rest.readMessage() else { return nil }
                    found.append(feature)
                case (3, .message):
                    guard let key = rest.readText() else { return nil }
                    keys.append(key)
                case (4, .message):
                    guard let message = rest.readMessage(), let value = VectorTile.value(message) else { return nil }
                    values.append(value)
                case (5, .varint):
                    guard let number = rest.readVarint(), number > 0 else { return nil }
                    extent = Double(number)
                default:
                    guard rest.skip(field.type) else { return nil }
                }
            }
            guard self.name != nil else { return }
            // Keys and values may come after the features.
            for message in found {
                guard let feature = VectorTile.feature(message, keys, values, scale: VectorTile.extent / extent)
                else { return nil }
                self.features.append(feature)
            }
        }
    }

    /// Decodes a value; nil when it is damaged.
    private static func value(_ message: ProtobufMessage) -> Value? {
        var rest = message
        var value = Value.unknown
        while rest.hasMore {
            guard let field = rest.readField() else { return nil }
            switch (field.number, field.type) {
            case (1, .message):
                guard let text = rest.readText() else { return nil }
                value = .text(text)
            case (2, .fixed32):
                guard let number = rest.readFloat() else { return nil }
                value = .number(number)
            case (3, .fixed64):
                guard let number = rest.readDouble() else { return nil }
                value = .number(number)
            case (4, .varint), (5, .varint):
                guard let number = rest.readVarint() else { return nil }
                value = .number(Double(number))
            case (6, .varint):
                guard let number = rest.readSigned() else { return nil }
                value = .number(number)
            case (7, .varint):
                guard let number = rest.readVarint() else { return nil }
                value = .flag(number != 0)
            default:
                guard rest.skip(field.type) else { return nil }
            }
        }
        return value
    }

    private static func feature(
        _ message: ProtobufMessage,
        _ keys: [String],
        _ values: [Value],
        scale: Double
    ) -> Feature? {
        var rest = message
        var feature = Feature()
        while rest.hasMore {
            guard let field = rest.readField() else { return nil }
            switch (field.number, field.type) {
            case (2, .message):
                guard var tags = rest.readMessage() else { return nil }
                while tags.hasMore {
                    guard let key = tags.readVarint(), let value = tags.readVarint(), key < keys.count,
                        value < values.count
                    else { return nil }
                    feature.attributes[keys[Int(key)]] = values[Int(value)]
                }
            case (4, .message):
                guard let geometry = rest.readMessage(), let parts = self.parts(geometry, scale) else { return nil }
                feature.parts = parts
            default:
                guard rest.skip(field.type) else { return nil }
            }
        }
        return feature
    }

    private static func parts(_ message: ProtobufMessage, _ scale: Double) -> [Part]? {
        var rest = message
        var parts: [Part] = []
        var position = SIMD2<Double>()
        while rest.hasMore {
            guard let command = rest.readVarint() else { return nil }
            let (kind, count) = (command % 8, command / 8)
            switch kind {
            case 7:
                if !parts.isEmpty { parts[parts.count - 1].isClosed = true }
                continue
            case 1: break
            case 2: if parts.isEmpty { return nil }
            default: return nil
            }
            for _ in 0..<count {
                guard let x = rest.readSigned(), let y = rest.readSigned() else { return nil }
                position += [x * scale, y * scale]
                guard abs(position.x) <= self.furthest, abs(position.y) <= self.furthest else { return nil }
                if kind == 1 {
                    parts.append(Part(points: [position]))
                } else {
                    parts[parts.count - 1].points.append(position)
                }
            }
        }
        return parts
    }
}
