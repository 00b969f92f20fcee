/// A queue that keeps up to two elements in place, and more in an array.
///
/// A connection seldom has more than an answer and a topic waiting, and nearly always one subscription: an array for
/// each of the two would take 64 bytes for every idle connection, or an allocation for every turn of a busy one.
enum InlineQueue<Element> {
    case none
    case one(Element)
    case two(Element, Element)
    case many([Element])

    /// Begins with nothing.
    init() { self = .none }

    /// Adds an element at the end.
    mutating func append(_ element: Element) {
        switch self {
        case .none: self = .one(element)
        case .one(let first): self = .two(first, element)
        case .two(let first, let second): self = .many([first, second, element])
        case .many(var elements):
            self = .none
            elements.append(element)
            self = .many(elements)
        }
    }

    /// Takes everything out.
    mutating func removeAll() { self = .none }

    /// Takes the first `count` elements out.
    mutating func removeFirst(_ count: Int) { self = Self(self.dropFirst(count)) }

    /// Takes out the elements that `shouldBeRemoved` says yes to.
    mutating func removeAll(where shouldBeRemoved: (Element) -> Bool) {
        guard self.contains(where: shouldBeRemoved) else { return }
        self = Self(self.filter { !shouldBeRemoved($0) })
    }

    private init(_ elements: some RandomAccessCollection<Element>) {
        self.init()
        for element in elements { self.append(element) }
    }
}

extension InlineQueue: RandomAccessCollection {
    var startIndex: Int { 0 }

    var endIndex: Int {
        switch self {
        case .none: 0
        case .one: 1
        case .two: 2
        case .many(let elements): elements.count
        }
    }

    subscript(index: Int) -> Element {
        // Not by pairs with the index, for which the whole queue would be copied.
        switch self {
        case .one(let element) where index == 0: return element
        case .two(let first, let second) where index < 2: return index == 0 ? first : second
        case .many(let elements): return elements[index]
        case .none, .one, .two: preconditionFailure("there is no such element")
        }
    }
}
