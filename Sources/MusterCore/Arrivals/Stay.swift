// A stay consists of fixes near its first one. One fix elsewhere does not end it, because single outliers occur at rest.
// The second one in a row does. The new stay begins with the first of the two if they are near each other, otherwise
// with the second.

/// The period that a person has spent near one point.
struct Stay: Sendable, Equatable {
    /// A fix with the moment at which it counts for silence.
    struct Begin: Sendable, Equatable {
        var point: ArrivalPoint
        var at: Timestamp
        var due: Timestamp
    }

    /// The first fix.
    private(set) var first: Begin
    /// The mean of the differences to the first fix, in degrees.
    private var north = 0.0
    private var east = 0.0
    private var meanAccuracy: Double
    private var count = 1.0
    /// The last fix, if it was elsewhere.
    private(set) var elsewhere: Begin?

    /// Begins with a fix.
    init(_ first: Begin) {
        self.first = first
        self.meanAccuracy = Double(first.point.accuracy)
    }

    /// The mean of the positions.
    var mean: Coordinate {
        Coordinate(
            latitude: self.first.point.coordinate.latitude + self.north,
            longitude: self.first.point.coordinate.longitude + self.east
        )
    }

    /// The mean accuracy in metres.
    var accuracy: Double { self.meanAccuracy }

    /// Adds a fix, which may begin the next stay.
    mutating func add(_ fix: ArrivalFix) {
        let next = Begin(point: fix.point, at: fix.at, due: fix.due)
        if next.point.isNear(self.first.point) {
            self.elsewhere = nil
            self.average(next.point)
        } else if let before = self.elsewhere {
            if next.point.isNear(before.point) {
                self = Stay(before)
                self.average(next.point)
            } else {
                self = Stay(next)
            }
        } else {
            self.elsewhere = next
        }
    }

    private mutating func average(_ point: ArrivalPoint) {
        self.count += 1
        let origin = self.first.point.coordinate
        var east = point.coordinate.longitude - origin.longitude
        if abs(east) > 180 { east -= east > 0 ? 360 : -360 }
        self.north += (point.coordinate.latitude - origin.latitude - self.north) / self.count
        self.east += (east - self.east) / self.count
        self.meanAccuracy += (Double(point.accuracy) - self.meanAccuracy) / self.count
    }
}
