/// The kinds of layers.
package struct LayerTable: Sendable {
    /// The kinds of Muster.
    package static let muster = LayerTable([.spots, .group, .pins, .events, .groupEvents])

    /// The kinds, in the order of the table.
    package let kinds: [LayerKind]

    /// Creates a table of kinds.
    ///
    /// - Precondition: no two kinds have the same number, or the same name for the same audience.
    package init(_ kinds: [LayerKind]) {
        precondition(Set(kinds.map(\.number)).count == kinds.count, "two kinds of layers have the same number")
        let words = kinds.map { [$0.name, $0.audience == .members ? ":" : ""] }
        precondition(Set(words).count == kinds.count, "two kinds of layers have the same name")
        self.kinds = kinds
    }

    /// The kind with a number; nil if there is none.
    package func kind(_ number: UInt8) -> LayerKind? { self.kinds.first { $0.number == number } }

    /// The layer with a name in the protocol; nil if there is none.
    package func layer(named name: some StringProtocol) -> TileLayer? {
        let parts = name.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let isOfGroup = parts.count == 2
        guard let word = parts.first,
            let kind = self.kinds.first(where: { $0.name == word && ($0.audience == .members) == isOfGroup })
        else { return nil }
        guard isOfGroup else { return TileLayer(kind: kind.number) }
        return GroupID(parts[1]).map { TileLayer(kind: kind.number, group: $0) }
    }
}

extension LayerKind {
    /// The name in the protocol of a group's layer, or of the only layer of the kind.
    package func name(of group: GroupID?) -> String { group.map { "\(self.name):\($0)" } ?? self.name }
}
