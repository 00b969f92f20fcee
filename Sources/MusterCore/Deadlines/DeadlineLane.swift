/// The deadlines of one kind of subject.
struct DeadlineLane {
    private struct Entry {
        let at: Timestamp
        let number: Int64

        func precedes(_ other: Entry) -> Bool { (self.at, self.number) < (other.at, other.number) }
    }

    private var heap = ChunkedArray<Entry>()
    private var due = NumberMap<Timestamp>()

    /// The number of waiting subjects.
    var count: Int { self.due.count }

    /// The length of the heap, stale entries included.
    var heapCount: Int { self.heap.count }

    /// A lower bound of the next deadline; nil when no subject waits.
    var next: Timestamp? { self.heap.isEmpty ? nil : self.heap[0].at }

    /// Schedules a subject at `at`, unless it is due earlier.
    mutating func schedule(_ number: Int64, at: Timestamp) {
        if let current = self.due[number], current <= at { return }
        self.due[number] = at
        self.push(Entry(at: at, number: number))
        if self.heap.count > 2 * self.due.count + 64 { self.rebuild() }
    }

    /// The deadline of a subject; nil when it does not wait.
    func deadline(of number: Int64) -> Timestamp? { self.due[number] }

    /// Removes a subject.
    mutating func cancel(_ number: Int64) { self.due[number] = nil }

    /// Removes stale entries before the first valid one, and returns the time of that; nil when no subject waits.
    mutating func dropStale() -> Timestamp? {
        while !self.heap.isEmpty {
            let first = self.heap[0]
            if self.due[first.number] == first.at { return first.at }
            self.removeFirst()
        }
        return nil
    }

    /// Removes and returns the subject that `dropStale` found.
    mutating func pop() -> Int64 {
        let number = self.heap[0].number
        self.removeFirst()
        self.due[number] = nil
        return number
    }

    private mutating func rebuild() {
        // A sorted list is a heap.
        let entries = self.due.entries.map { Entry(at: $0.value, number: $0.number) }.sorted { $0.precedes($1) }
        self.heap = ChunkedArray()
        for entry in entries { self.heap.append(entry) }
    }

    private mutating func push(_ entry: Entry) {
        self.heap.append(entry)
        var child = self.heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard self.heap[child].precedes(self.heap[parent]) else { return }
            self.heap.swapAt(child, parent)
            child = parent
        }
    }

    private mutating func removeFirst() {
        self.heap.swapRemove(at: 0)
        var parent = 0
        while true {
            var least = parent
            for child in 2 * parent + 1...2 * parent + 2
            where child < self.heap.count && self.heap[child].precedes(self.heap[least]) {
                least = child
            }
            guard least != parent else { return }
            self.heap.swapAt(parent, least)
            parent = least
        }
    }
}
