/// A property of a feature, independent of the encoding.
package struct FeatureProperty: Equatable, Sendable {
    /// The value of a property.
    package enum Value: Equatable, Sendable {
        case bool(Bool)
        case number(Int)
        case text(String)
    }

    package var name: String
    /// The value; nil for none.
    package var value: Value?

    /// Creates a property.
    package init(name: String, value: Value?) {
        self.name = name
        self.value = value
    }
}

extension LayerKind {
    /// The id of a feature in the protocol.
    package func featureID(_ feature: TileFeature) -> String {
        switch feature.content {
        case .point(let id): self.featureID(of: id)
        case .cluster(let name): name.description
        }
    }

    /// The id of a point's feature.
    package func featureID(of point: Int64) -> String { "\(self.prefix):\(point)" }

    /// The id of the feature with an entry key in a tile.
    package func featureID(entryKey key: Int64, of tile: TileAddress) -> String {
        guard key < 0 else { return self.featureID(of: key) }
        switch self.naming {
        case .leastMember:
            return ClusterName.leastMember(zoom: tile.zoom, -key).description
        case .cell:
            let place = Int(-1 - key)
            return ClusterName.cell(zoom: tile.zoom, x: tile.x << 4 | place & 15, y: tile.y << 4 | place >> 4)
                .description
        }
    }

    /// The properties of a feature, in the convention of supercluster, which map libraries support.
    package func properties(of entry: TileEntry) -> [FeatureProperty] {
        switch entry.feature.content {
        case .point(let id):
            [FeatureProperty(name: "cluster", value: .bool(false))] + self.properties(of: id, entry.values)
        case .cluster(let name):
            [
                FeatureProperty(name: "cluster", value: .bool(true)),
                FeatureProperty(name: "cluster_id", value: .text(name.description)),
                FeatureProperty(name: "point_count", value: .number(entry.feature.count)),
                FeatureProperty(
                    name: "point_count_abbreviated",
                    value: .text(Self.abbreviated(entry.feature.count))
                ),
            ]
        }
    }

    /// The properties of a point.
    package func properties(of point: Int64, _ values: PointValues) -> [FeatureProperty] {
        let values = values.values
        return [FeatureProperty(name: "id", value: .text(String(point)))]
            + self.fields.enumerated().map { index, field in
                let text = index < values.count ? values[index] : nil
                return FeatureProperty(name: field.name, value: text.flatMap { field.value(of: $0) })
            }
    }

    /// A count abbreviated to fit into a small circle: 999, 1.2k, 12k.
    static func abbreviated(_ count: Int) -> String {
        switch count {
        case ..<1000: return String(count)
        case ..<9950:
            let tenths = (count + 50) / 100
            return tenths % 10 == 0 ? "\(tenths / 10)k" : "\(tenths / 10).\(tenths % 10)k"
        case _: return "\((count + 500) / 1000)k"
        }
    }
}

extension LayerKind.Field {
    /// Converts a text to the property value of this field.
    fileprivate func value(of text: String) -> FeatureProperty.Value? {
        switch self.form {
        case .text: .text(text)
        case .number: Int(text).map { .number($0) }
        case .flag: .bool(text == "true")
        }
    }
}
