/// The id of a layer of map tiles.
package struct TileLayer: Hashable, Sendable {
    /// The number of its `LayerKind`.
    package let kind: UInt8
    /// The group of the layer; nil for kinds with one layer.
    package let group: GroupID?

    /// Creates the id of a layer.
    init(kind: UInt8, group: GroupID? = nil) {
        self.kind = kind
        self.group = group
    }

    /// The layer of spots.
    package static let spots = TileLayer(kind: LayerKind.spots.number)

    /// The layer of a group's members.
    package static func group(_ group: GroupID) -> TileLayer { TileLayer(kind: LayerKind.group.number, group: group) }
}
