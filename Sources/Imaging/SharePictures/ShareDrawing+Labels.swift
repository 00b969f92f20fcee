import ImagingWire
import MusterCore

extension ShareDrawing {
    /// One line of a label, for one person.
    private struct LabelLine {
        let name: TextLine
        let details: TextLine?

        var width: Double { self.name.width + (self.details.map { $0.width + ShareDrawing.gap } ?? 0) }
        var height: Double { max(self.name.height, self.details?.height ?? 0) }
    }

    private static let gap = 7.0
    private static let padding = 5.0
    private static let widestName = 190.0
    /// The maximum number of lines of a label.
    ///
    /// With more people, the last line shows the number of the others.
    private static let mostLines = 4
    /// The number of clusters beyond which a label without enough free space is omitted.
    private static let mostPlacesWithLabels = 24

    /// Draws the label of each cluster where it hides the least of badges, other labels and `furniture`.
    ///
    /// - Returns: the rectangles of all of these.
    func drawLabels(beside furniture: [Box]) -> [Box] {
        let badges = self.clusters.map {
            Box(around: $0.middle, width: 2 * Self.badgeRadius, height: 2 * Self.badgeRadius)
        }
        var obstacles = furniture + badges
        let mayLeaveOut = self.clusters.count > Self.mostPlacesWithLabels
        for cluster in self.clusters {
            let lines = self.lines(for: cluster)
            let width = (lines.map(\.width).max() ?? 0) + 2 * Self.padding
            let height = lines.reduce(0) { $0 + $1.height } + 2 * Self.padding
            let (box, hidden) = Self.place(width: width, height: height, beside: cluster.middle, obstacles)
            if mayLeaveOut, hidden > box.area / 20 { continue }
            obstacles.append(box)
            self.drawTie(from: cluster.middle, to: box)
            self.draw(lines, in: box)
        }
        return obstacles
    }

    /// Draws a short line from a badge to its label.
    private func drawTie(from middle: Pixel, to box: Box) {
        let end = Pixel(
            x: min(max(middle.x, box.x), box.x + box.width),
            y: min(max(middle.y, box.y), box.y + box.height)
        )
        let distance = middle.distanceSquared(to: end).squareRoot()
        guard distance > Self.badgeRadius else { return }
        let part = Self.badgeRadius / distance
        let start = Pixel(x: middle.x + (end.x - middle.x) * part, y: middle.y + (end.y - middle.y) * part)
        self.canvas.addLine([start, end])
        self.canvas.ink(Ink.quiet)
        self.canvas.stroke(width: 1.5)
    }

    private func draw(_ lines: [LabelLine], in box: Box) {
        self.canvas.add(box, radius: 5)
        self.canvas.ink(Ink.paper, opacity: 0.86)
        self.canvas.fill()
        var top = box.y + Self.padding
        for line in lines {
            let left = box.x + Self.padding
            func corner(_ x: Double, _ text: TextLine) -> Pixel {
                Pixel(x: x, y: top + (line.height - text.height) / 2)
            }
            self.canvas.ink(Ink.words)
            self.canvas.draw(line.name, at: corner(left, line.name))
            if let details = line.details {
                self.canvas.ink(Ink.quiet)
                self.canvas.draw(details, at: corner(left + line.name.width + Self.gap, details))
            }
            top += line.height
        }
    }

    /// Returns the position around a badge where a label hides the least, and the hidden area in square pixels.
    private static func place(
        width: Double,
        height: Double,
        beside middle: Pixel,
        _ obstacles: [Box]
    ) -> (box: Box, hidden: Double) {
        let (east, south) = (self.badgeRadius + 4 + width / 2, self.badgeRadius + 4 + height / 2)
        let ways: [(Double, Double)] = [(0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, 1), (1, -1), (-1, -1)]
        var best: (box: Box, hidden: Double)?
        for (x, y) in ways {
            let box = Box(
                around: Pixel(x: (middle.x + x * east).rounded(), y: (middle.y + y * south).rounded()),
                width: width,
                height: height
            )
            let beyond = box.area - box.overlap(with: ShareMap.picture)
            // The area beyond the edge is lost, so it has a higher weight.
            let hidden = obstacles.reduce(4 * beyond) { $0 + $1.overlap(with: box) }
            if hidden < best?.hidden ?? .infinity { best = (box, hidden) }
        }
        return best ?? (Box(around: middle, width: width, height: height), 0)
    }

    // MARK: Text

    private func lines(for cluster: BadgeCluster) -> [LabelLine] {
        // The subject of the picture comes first.
        let members =
            cluster.members.filter { $0 == self.picture.about } + cluster.members.filter { $0 != self.picture.about }
        let isLong = members.count > Self.mostLines
        let shown = members.prefix(isLong ? Self.mostLines - 1 : Self.mostLines)
        var lines = shown.map { member in
            let details = self.details(of: member)
            return LabelLine(
                name: self.text(of: self.picture.people[member]),
                details: details.isEmpty ? nil : TextLine(details, pixels: 13)
            )
        }
        if isLong {
            lines.append(LabelLine(name: TextLine("and \(members.count - shown.count) more", pixels: 13), details: nil))
        }
        return lines
    }

    private func text(of person: SharePicture.Person) -> TextLine {
        let name = self.picture.isNamed ? person.name : person.initials
        return TextLine(name, pixels: 15, isBold: true, widest: Self.widestName)
    }

    /// Returns the age of a person's position, and the distance from the picture's subject.
    private func details(of member: Int) -> String {
        let person = self.picture.people[member]
        var words = person.place.isCell ? [] : [ShareTexts.age(person.age)]
        if let about = self.picture.about, about != member {
            let start = self.picture.people[about].place
            let metres = start.coordinate.distance(to: person.place.coordinate)
            words.append(ShareTexts.distance(metres, isCoarse: start.isCell || person.place.isCell))
        }
        return words.joined(separator: " · ")
    }
}
