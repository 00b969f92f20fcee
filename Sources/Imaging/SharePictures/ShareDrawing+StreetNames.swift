import ImagingWire
import MusterMath

/// A name of the map that may be drawn.
private struct StreetName {
    let text: String
    let rule: StreetStyle.NameRule
    let rank: Double
    let colour: StreetStyle.Colour
    /// The position of a place, or the line of a street with the distance of the name's middle from its start.
    let spot: Spot

    enum Spot {
        case place(Pixel)
        case street(StreetLine, Double)
    }
}

extension ShareDrawing {
    /// The size of names on pictures, which are often seen shrunken, in sizes of the page's names.
    private static let nameSize = 1.2
    /// The distances in pixels within which a name is not drawn again.
    private static let (placesApart, streetsApart) = (400.0, 280.0)
    /// A long street has its name once in this many pixels.
    private static let spacing = 340.0
    /// The most characters of a name.
    private static let longestName = 200

    /// Draws the names of places and main streets where they meet no obstacle and no other name, the highest rank
    /// first.
    func drawStreetNames(beside obstacles: [Box]) {
        var taken = obstacles
        var drawn: [String: [Pixel]] = [:]
        for name in self.streetNames() {
            let size = name.rule.size * Self.nameSize
            let line = TextLine(name.text, pixels: size, isBold: true)
            let (apart, spots) = self.spots(of: name, line)
            for (middle, angle) in spots {
                let boxes = Self.boxes(of: line, around: middle, angle)
                guard
                    boxes.allSatisfy({ box in
                        box.overlap(with: ShareMap.picture) > box.area - 0.01
                            && !taken.contains { $0.overlap(with: box) > 0 }
                    }),
                    !(drawn[name.text] ?? []).contains(where: { $0.distanceSquared(to: middle) < apart * apart })
                else { continue }
                taken += boxes
                drawn[name.text, default: []].append(middle)
                self.canvas.draw(
                    line,
                    around: middle,
                    angle: angle,
                    colour: name.colour.rgb,
                    halo: StreetStyle.Colour.halo.rgb,
                    haloWidth: StreetStyle.haloWidth
                )
                break
            }
        }
    }

    /// The names of all tiles, those of the highest rank first.
    private func streetNames() -> [StreetName] {
        let zoom = self.streetZoom
        var names: [StreetName] = []
        self.eachSeenTile { tile, square in
            for feature in tile["place_labels"] {
                guard let text = Self.name(of: feature), let rule = StreetStyle.placeNames[feature.text("kind") ?? ""],
                    rule.from...rule.to ~= zoom
                else { continue }
                for part in feature.parts {
                    let spot = StreetName.Spot.place(square.pixel(of: part.points[0]))
                    // Of two places of one kind the larger wins.
                    let rank = rule.rank + Self.weight(of: feature)
                    names.append(StreetName(text: text, rule: rule, rank: rank, colour: .place, spot: spot))
                }
            }
            for feature in tile["street_labels"] {
                let kind = StreetStyle.drawnKind(feature.text("kind") ?? "")
                guard let text = Self.name(of: feature), let rule = StreetStyle.streetNames[kind], zoom >= rule.from
                else { continue }
                for part in feature.parts {
                    let line = StreetLine(part.points.map { square.pixel(of: $0) })
                    let count = max(1, min(16, Int(line.length / Self.spacing)))
                    for number in 0..<count {
                        // Of two streets of one kind the longer wins.
                        let rank = rule.rank + min(line.length, 999) / 1000
                        let spot = StreetName.Spot.street(line, (Double(number) + 0.5) * line.length / Double(count))
                        names.append(StreetName(text: text, rule: rule, rank: rank, colour: .textMajor, spot: spot))
                    }
                }
            }
        }
        return names.sorted { ($1.rank, $0.text) < ($0.rank, $1.text) }
    }

    /// Returns the name of a feature; nil when it has none that can be drawn.
    private static func name(of feature: VectorTile.Feature) -> String? {
        guard let name = feature.text("name"), !name.isEmpty, name.count <= self.longestName else { return nil }
        return name
    }

    private static func weight(of place: VectorTile.Feature) -> Double {
        guard case .number(let population) = place.attributes["population"], population >= 1 else { return 0 }
        return min(1.9, decimalLogarithm(population) / 5)
    }

    /// The positions that are tried for a name, and the distance within which the name is not drawn again.
    private func spots(
        of name: StreetName,
        _ line: TextLine
    ) -> (apart: Double, spots: [(middle: Pixel, angle: Double)]) {
        switch name.spot {
        case .place(let middle): (Self.placesApart, [(middle, 0)])
        case .street(let street, let distance):
            (
                Self.streetsApart,
                [0, -0.3, 0.3].compactMap { street.straight(line.width, around: distance + $0 * Self.spacing) }
            )
        }
    }

    /// Returns small boxes along a turned line of text.
    private static func boxes(of line: TextLine, around middle: Pixel, _ angle: Double) -> [Box] {
        guard angle != 0 else { return [Box(around: middle, width: line.width + 8, height: line.height + 2)] }
        let steps = max(1, Int((line.width / line.height).rounded(.up)))
        return (0...steps).map { step in
            let away = (Double(step) / Double(steps) - 0.5) * line.width
            let centre = Pixel(x: middle.x + away * cosine(angle), y: middle.y + away * sine(angle))
            return Box(around: centre, width: line.height, height: line.height)
        }
    }
}
