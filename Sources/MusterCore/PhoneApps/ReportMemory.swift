/// The last reports of a tracker that storage has or is about to have, by key.
///
/// A key is forgotten when storage refuses its fix, so that the app's repetition counts as new.
struct ReportMemory {
    /// The number of reports that are recognised.
    static let capacity = 2_048

    private var numbers: [ReportKey: Int64] = [:]
    /// The keys in the order of arrival: a ring that begins at `oldest`.
    private var order: [ReportKey] = []
    private var oldest = 0
    /// The highest number that the world gave to a stored fix of the device.
    ///
    /// It may exceed the highest number of the gate, which forgets numbers from a refused fix on.
    private(set) var highest: Int64 = 0

    /// The number of the fix with a key; nil when it is unknown.
    func number(of key: ReportKey) -> Int64? { self.numbers[key] }

    /// Records a fix that is stored, or being stored.
    mutating func note(_ key: ReportKey, _ number: Int64) {
        self.highest = max(self.highest, number)
        guard self.numbers.updateValue(number, forKey: key) == nil else { return }
        guard self.order.count == Self.capacity else {
            self.order.append(key)
            return
        }
        self.numbers[self.order[self.oldest]] = nil
        self.order[self.oldest] = key
        self.oldest = (self.oldest + 1) % Self.capacity
    }

    /// Records what storage has of the device.
    mutating func merge(_ stored: StoredReports) {
        self.highest = max(self.highest, stored.highest)
        for (key, number) in stored.numbers where self.numbers[key] == nil { self.note(key, number) }
    }

    /// Forgets the fix with a number, which storage refused.
    mutating func forget(_ number: Int64) {
        guard let key = self.numbers.first(where: { $0.value == number })?.key else { return }
        self.numbers[key] = nil
        // The ring is not full any more, so it begins at its first element.
        self.order = (self.order[self.oldest...] + self.order[..<self.oldest]).filter { $0 != key }
        self.oldest = 0
    }
}

/// What storage has of a tracker's reports.
package struct StoredReports: Sendable, Equatable {
    /// The minimum number of keys that storage keeps of each device.
    package static let keptKeys = ReportMemory.capacity

    /// The highest number of a stored fix; 0 without one.
    package var highest: Int64
    /// The numbers of those fixes of the report that are stored already, by key.
    package var numbers: [ReportKey: Int64]

    /// Creates the stored state.
    package init(highest: Int64 = 0, numbers: [ReportKey: Int64] = [:]) {
        self.highest = highest
        self.numbers = numbers
    }
}
