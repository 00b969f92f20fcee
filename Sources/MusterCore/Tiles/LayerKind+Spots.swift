extension LayerKind {
    /// All spots.
    package static let spots = LayerKind(
        number: 1,
        name: "spots",
        audience: .anybody,
        source: .storage,
        naming: .cell,
        prefix: "s",
        fields: ["comment", "category", "thumb"]
    )
}

extension TilePoint {
    /// The largest number of characters of a comment in a point.
    private static let commentLength = 80

    /// Creates the point of a spot.
    package init(_ spot: Spot) {
        self.init(
            spot: spot.id,
            at: spot.coordinate,
            comment: spot.comment,
            category: spot.category,
            thumb: spot.photo?.thumb
        )
    }

    /// Creates the point of a spot; `thumb` is the address of its photo's thumbnail.
    package init(spot: SpotID, at coordinate: Coordinate, comment: String, category: String?, thumb: String?) {
        let excerpt = Excerpt.of(comment, longest: Self.commentLength)
        self.init(id: spot.rawValue, coordinate: coordinate, values: PointValues([excerpt, category, thumb]))
    }
}
