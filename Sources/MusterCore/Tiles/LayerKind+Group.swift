extension LayerKind {
    /// The members of a group, at the positions that its roster shows.
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
