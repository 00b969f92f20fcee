/// The elements of a JSON array that can be decoded; others are skipped.
struct LossyArray<Element: Decodable>: Decodable {
    private struct Anything: Decodable {}

    let elements: [Element]

    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        var elements: [Element] = []
        while !container.isAtEnd {
            if let element = try? container.decode(Element.self) {
                elements.append(element)
            } else {
                _ = try container.decode(Anything.self)
            }
        }
        self.elements = elements
    }
}
