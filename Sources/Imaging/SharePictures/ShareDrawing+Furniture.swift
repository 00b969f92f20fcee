import ImagingWire

extension ShareDrawing {
    private static let edge = 16.0

    /// Draws the title, the north arrow, the scale and the attribution in the corners.
    ///
    /// - Returns: their rectangles, which labels avoid.
    func drawFurniture() -> [Box] { [self.drawTitle(), self.drawNorth(), self.drawScale()] + self.drawAttribution() }

    private func grid(_ box: Box) -> Box {
        self.canvas.add(box, radius: 8)
        self.canvas.ink(Ink.paper, opacity: 0.88)
        self.canvas.fill()
        return box
    }

    private func drawTitle() -> Box {
        let title = TextLine(self.picture.title, pixels: 26, isBold: true, widest: 820)
        let count = self.picture.people.count
        let words = "\(ShareTexts.time(self.picture.madeAt)) · \(count == 1 ? "1 person" : "\(count) people")"
        let time = TextLine(words, pixels: 15)
        let box = self.grid(
            Box(
                x: Self.edge,
                y: Self.edge,
                width: max(title.width, time.width) + 24,
                height: title.height + time.height + 14
            )
        )
        self.canvas.ink(Ink.words)
        self.canvas.draw(title, at: Pixel(x: box.x + 12, y: box.y + 7))
        self.canvas.ink(Ink.quiet)
        self.canvas.draw(time, at: Pixel(x: box.x + 12, y: box.y + 7 + title.height))
        return box
    }

    private func drawNorth() -> Box {
        let box = self.grid(Box(x: ShareMap.picture.width - Self.edge - 40, y: Self.edge, width: 40, height: 60))
        let letter = TextLine("N", pixels: 15, isBold: true)
        let middle = box.x + box.width / 2
        self.canvas.ink(Ink.words)
        self.canvas.draw(letter, at: Pixel(x: middle - letter.width / 2, y: box.y + box.height - letter.height - 4))
        self.canvas.addLine(
            [
                Pixel(x: middle, y: box.y + 7), Pixel(x: middle + 9, y: box.y + 36), Pixel(x: middle, y: box.y + 30),
                Pixel(x: middle - 9, y: box.y + 36),
            ],
            isClosed: true
        )
        self.canvas.fill()
        return box
    }

    /// Draws a scale bar for the middle of the picture.
    ///
    /// The Mercator scale varies with latitude, so a large map says so.
    private func drawScale() -> Box {
        let length = ShareTexts.roundLength(atMost: 180 * self.map.metresPerPixel)
        let width = length / self.map.metresPerPixel
        let isLarge = ShareMap.picture.width * self.map.metresPerPixel > 2_000_000
        let text = TextLine(ShareTexts.length(length) + (isLarge ? " in the middle" : ""), pixels: 14)
        let height = text.height + 20
        let box = self.grid(
            Box(
                x: Self.edge,
                y: ShareMap.picture.height - Self.edge - height,
                width: max(width, text.width) + 24,
                height: height
            )
        )
        let (left, bottom) = (box.x + 12, box.y + box.height - 8)
        self.canvas.ink(Ink.words)
        self.canvas.draw(text, at: Pixel(x: left, y: box.y + 4))
        self.canvas.addLine([
            Pixel(x: left, y: bottom - 6), Pixel(x: left, y: bottom), Pixel(x: left + width, y: bottom),
            Pixel(x: left + width, y: bottom - 6),
        ])
        self.canvas.stroke(width: 2)
        return box
    }

    private func drawAttribution() -> [Box] {
        let words = self.tiles.isEmpty && self.streets.isEmpty ? self.picture.attribution : self.picture.tileAttribution
        guard !words.isEmpty else { return [] }
        let text = TextLine(words, pixels: 12, widest: 880)
        let (width, height) = (text.width + 12, text.height + 6)
        let box = self.grid(
            Box(
                x: ShareMap.picture.width - Self.edge - width,
                y: ShareMap.picture.height - Self.edge - height,
                width: width,
                height: height
            )
        )
        self.canvas.ink(Ink.quiet)
        self.canvas.draw(text, at: Pixel(x: box.x + 6, y: box.y + 3))
        return [box]
    }
}
