/// A point of a picture, in pixels from its upper left corner.
package struct Pixel: Sendable, Equatable {
    package var x: Double
    package var y: Double

    /// Creates a point from its distances to the left and upper edges.
    package init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    /// Returns the square of the distance to another point.
    package func distanceSquared(to other: Self) -> Double {
        let (east, south) = (other.x - self.x, other.y - self.y)
        return east * east + south * south
    }
}

/// A rectangle of a picture, in pixels.
package struct Box: Sendable, Equatable {
    package var x: Double
    package var y: Double
    package var width: Double
    package var height: Double

    /// Creates a rectangle from its upper left corner.
    package init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// Creates a rectangle from its centre.
    package init(around middle: Pixel, width: Double, height: Double) {
        self.init(x: middle.x - width / 2, y: middle.y - height / 2, width: width, height: height)
    }

    /// The area in square pixels.
    package var area: Double { self.width * self.height }

    /// Returns the area of the intersection with another rectangle, in square pixels.
    package func overlap(with other: Self) -> Double { self.intersection(with: other)?.area ?? 0 }

    /// Returns the intersection with another rectangle; nil when it is empty.
    package func intersection(with other: Self) -> Box? {
        let (left, top) = (max(self.x, other.x), max(self.y, other.y))
        let width = min(self.x + self.width, other.x + other.width) - left
        let height = min(self.y + self.height, other.y + other.height) - top
        return width > 0 && height > 0 ? Box(x: left, y: top, width: width, height: height) : nil
    }
}
