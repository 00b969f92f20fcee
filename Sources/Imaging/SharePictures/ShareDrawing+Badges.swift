import ImagingWire

extension ShareDrawing {
    /// The radius of a badge including its rim, in pixels.
    static let badgeRadius = 25.0

    private static let rim = 3.0
    /// The maximum number of people in one badge.
    ///
    /// With more, the last place shows the number of the others.
    private static let mostInBadge = 4

    /// Draws the badge of one cluster: one large face, or several small ones within the same circle.
    func drawBadges(of cluster: BadgeCluster) {
        let isAbout = self.picture.about.map(cluster.members.contains) ?? false
        self.canvas.addCircle(around: cluster.middle, radius: Self.badgeRadius)
        self.canvas.ink(isAbout ? Ink.words : Ink.paper)
        self.canvas.fill()
        if cluster.members.count == 1 {
            self.drawBadge(of: self.picture.people[cluster.members[0]], around: cluster.middle, radius: 22)
            return
        }
        self.canvas.addCircle(around: cluster.middle, radius: Self.badgeRadius - Self.rim)
        self.canvas.ink(Ink.paper)
        self.canvas.fill()
        let isCrowd = cluster.members.count > Self.mostInBadge
        let shown = cluster.members.prefix(isCrowd ? Self.mostInBadge - 1 : Self.mostInBadge)
        let places = Self.smallPlaces(shown.count + (isCrowd ? 1 : 0), around: cluster.middle)
        for (member, place) in zip(shown, places) {
            self.drawBadge(of: self.picture.people[member], around: place, radius: Self.smallRadius)
        }
        if isCrowd, let last = places.last {
            self.canvas.addCircle(around: last, radius: Self.smallRadius)
            self.canvas.ink(Ink.quiet)
            self.canvas.fill()
            self.draw("+\(cluster.members.count - shown.count)", within: last, radius: Self.smallRadius)
        }
    }

    private static let smallRadius = 10.0
    /// The maximum number of pixels of a face.
    ///
    /// A face is a thumbnail, and decoding 250 larger ones would exceed the time limit.
    private static let mostPixelsOfFace = 512 * 512

    /// Returns the centres of two to four small badges within a large one.
    private static func smallPlaces(_ count: Int, around middle: Pixel) -> [Pixel] {
        let away = count == 2 ? 10.5 : 9.8
        let offsets: [(Double, Double)] =
            switch count {
            case 2: [(-1, 0), (1, 0)]
            case 3: [(-1, -0.8), (1, -0.8), (0, 1.1)]
            case _: [(-1, -1), (1, -1), (-1, 1), (1, 1)]
            }
        return offsets.map { Pixel(x: middle.x + $0.0 * away, y: middle.y + $0.1 * away) }
    }

    /// Draws a face in a circle, or the initials in white if there is no face or it cannot be decoded.
    private func drawBadge(of person: SharePicture.Person, around middle: Pixel, radius: Double) {
        self.canvas.addCircle(around: middle, radius: radius)
        let side = Int(2 * radius)
        guard let face = Self.pixels(of: person.face, side: side) else {
            self.canvas.ink(person.colour)
            self.canvas.fill()
            self.draw(person.initials, within: middle, radius: radius)
            return
        }
        let corner = Pixel(x: (middle.x - radius).rounded(), y: (middle.y - radius).rounded())
        self.canvas.withinPath { self.canvas.draw(face, side: side, at: corner) }
        self.canvas.addCircle(around: middle, radius: radius)
        self.canvas.ink(person.colour)
        self.canvas.stroke(width: 1.5)
    }

    /// Returns a face as a square of pixels; nil when there is none.
    private static func pixels(of face: [UInt8], side: Int) -> [UInt32]? {
        guard !face.isEmpty else { return nil }
        return face.withUnsafeBytes { bytes in
            do throws(ImagingRefusal) {
                let head = try PictureHead(of: bytes)
                guard head.width * head.height <= Self.mostPixelsOfFace, head.ratio <= PictureMaker.longestFace else {
                    return nil
                }
                let pixels = try DecodedImage(decoding: bytes, side: side, fit: .filling).pixels()
                return pixels?.count == side * side ? pixels : nil
            } catch {
                return nil
            }
        }
    }

    /// Draws a few white letters, as large as fits in a circle.
    private func draw(_ letters: String, within middle: Pixel, radius: Double) {
        let most = radius * 1.7
        let size = (radius * 0.85).rounded()
        var line = TextLine(letters, pixels: size, isBold: true)
        if line.width > most {
            let smaller = max(4, (size * most / line.width).rounded(.down))
            line = TextLine(letters, pixels: smaller, isBold: true, widest: most)
        }
        self.canvas.ink(Ink.paper)
        self.canvas.draw(line, at: Pixel(x: middle.x - line.width / 2, y: middle.y - line.height / 2))
    }
}
