extension LayerKind {
    /// The members of a group, where its roster shows them.
    package static let group = LayerKind(
        number: 2,
        name: "group",
        audience: .members,
        source: .roster,
        naming: .leastMember,
        prefix: "u",
        fields: ["name"]
    )
}
