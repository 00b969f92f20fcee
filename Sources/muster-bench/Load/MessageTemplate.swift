/// A text with placeholders in braces that are replaced for each message.
struct MessageTemplate: Sendable {
    /// The available placeholders.
    enum Field: String, CaseIterable, Sendable {
        case number
        case sender
        case group
        case latitude = "lat"
        case longitude = "lon"
        case at
    }

    private enum Piece: Sendable {
        case text([UInt8])
        case field(Field)
    }

    private var pieces: [Piece] = []

    /// Parses a template; other text in braces stays unchanged.
    init(_ text: String) {
        var literal: [UInt8] = []
        var rest = text[...]
        while let character = rest.first {
            if let field = Field.allCases.first(where: { rest.hasPrefix("{\($0.rawValue)}") }) {
                if !literal.isEmpty { self.pieces.append(.text(literal)) }
                literal = []
                self.pieces.append(.field(field))
                rest.removeFirst(field.rawValue.count + 2)
            } else {
                literal.append(contentsOf: String(character).utf8)
                rest.removeFirst()
            }
        }
        if !literal.isEmpty { self.pieces.append(.text(literal)) }
    }

    /// The text directly before a placeholder, from the last comma if there is one.
    func text(before wanted: Field) -> [UInt8]? {
        for index in self.pieces.indices.dropFirst() {
            guard case .field(wanted) = self.pieces[index], case .text(let text) = self.pieces[index - 1] else {
                continue
            }
            return text.lastIndex(of: UInt8(ascii: ",")).map { Array(text[($0 + 1)...]) } ?? text
        }
        return nil
    }

    /// Writes the text for a fix.
    func write(_ fix: LoadFix, into text: inout FrameText) {
        text.clear()
        for piece in self.pieces {
            switch piece {
            case .text(let bytes): text.append(bytes)
            case .field(.number): text.append(Int64(fix.number))
            case .field(.sender): text.append(Int64(fix.session))
            case .field(.group): text.append(Int64(fix.group))
            case .field(.latitude): text.append(degrees: fix.place.latitude)
            case .field(.longitude): text.append(degrees: fix.place.longitude)
            case .field(.at): text.append(fix.at)
            }
        }
    }
}
