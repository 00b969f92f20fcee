/// A queue that stores up to two elements in place, and more in an array.
///
/// A connection seldom queues more than a response and a topic, and nearly always has one subscription. An array for
/// each of the two would take 64 bytes for every idle connection, or an allocation for every tick of a busy one.
enum InlineQueue<Element> {
    case none
    case one(Element)
    case two(Element, Element)
    case many([Element])

    /// Creates an empty queue.
    init() { self = .none }

    /// Appends an element.
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

    /// Removes all elements.
    mutating func removeAll() { self = .none }

    /// Removes the first `count` elements.
    mutating func removeFirst(_ count: Int) { self = Self(self.dropFirst(count)) }

    /// Removes the elements for which `shouldBeRemoved` is true.
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
        // Not a tuple pattern with the index, which would copy the whole queue.
        switch self {
        case .one(let element) where index == 0: return element
        case .two(let first, let second) where index < 2: return index == 0 ? first : second
        case .many(let elements): return elements[index]
        case .none, .one, .two: preconditionFailure("there is no such element")
        }
    }
}
