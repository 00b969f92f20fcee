/// A list that usually has at most one element.
///
/// A single element is stored inline, without an array.
///
/// An array with one element takes 48 bytes in addition to its reference of eight bytes. Most users have one session,
/// one device and one group.
enum ShortList<Element> {
    case none
    case one(Element)
    case many([Element])

    /// Creates an empty list.
    package init() { self = .none }

    /// Adds an element at the end.
    package mutating func append(_ element: Element) { self.insert(element, at: self.count) }

    /// Adds an element before the one at `index`, or at the end.
    package mutating func insert(_ element: Element, at index: Int) {
        switch self {
        case .none: self = .one(element)
        case .one(let only): self = .many(index == 0 ? [element, only] : [only, element])
        case .many(var elements):
            self = .none
            elements.insert(element, at: index)
            self = .many(elements)
        }
    }

    /// Removes the elements that satisfy `shouldBeRemoved`.
    package mutating func removeAll(where shouldBeRemoved: (Element) -> Bool) {
        switch self {
        case .none: break
        case .one(let only): if shouldBeRemoved(only) { self = .none }
        case .many(let elements):
            let rest = elements.filter { !shouldBeRemoved($0) }
            self = rest.count > 1 ? .many(rest) : rest.first.map { .one($0) } ?? .none
        }
    }
}

extension ShortList: RandomAccessCollection {
    package var startIndex: Int { 0 }

    package var endIndex: Int {
        switch self {
        case .none: 0
        case .one: 1
        case .many(let elements): elements.count
        }
    }

    package subscript(index: Int) -> Element {
        switch self {
        case .none: preconditionFailure("the list is empty")
        case .one(let only):
            precondition(index == 0, "the list has one element")
            return only
        case .many(let elements): return elements[index]
        }
    }
}

extension ShortList: Sendable where Element: Sendable {}
