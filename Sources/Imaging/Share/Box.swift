/// A place on a picture, in pixels from its upper left corner.
struct Pixel: Equatable {
    var x: Double
    var y: Double

    /// The square of how far away another is.
    func distanceSquared(to other: Self) -> Double {
        let (east, south) = (other.x - self.x, other.y - self.y)
        return east * east + south * south
    }
}

/// A rectangle of a picture, in pixels.
struct Box: Equatable {
    var x: Double
    var y: Double
    var width: Double
    var height: Double

    /// A rectangle by its upper left corner.
    init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// A rectangle by its middle.
    init(around middle: Pixel, width: Double, height: Double) {
        self.init(x: middle.x - width / 2, y: middle.y - height / 2, width: width, height: height)
    }

    /// Its square pixels.
    var area: Double { self.width * self.height }

    /// The square pixels that it shares with another.
    func overlap(with other: Self) -> Double {
        let width = min(self.x + self.width, other.x + other.width) - max(self.x, other.x)
        let height = min(self.y + self.height, other.y + other.height) - max(self.y, other.y)
        return width > 0 && height > 0 ? width * height : 0
    }
}
