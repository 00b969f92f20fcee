// A binary heap, ordered by time and then by subject, so that equal inputs always give equal outputs. `due` is the truth:
// an entry of the heap that disagrees with it is stale and is dropped when it comes up. The heap is rebuilt when more
// than half of it is stale, so it is never more than about twice as long as there are subjects.

/// When each subject wants to be looked at next: one moment a subject, the earliest that was asked for.
struct DeadlineQueue {
    /// What a deadline belongs to.
    enum Subject: Hashable {
        case user(UserID)
        case device(DeviceID)
        case group(GroupID)
        case locate(LocateID)
        case session(SessionID)

        fileprivate var order: (Int, Int64) {
            switch self {
            case .user(let id): (0, id.rawValue)
            case .device(let id): (1, id.rawValue)
            case .group(let id): (2, id.rawValue)
            case .locate(let id): (3, id.rawValue)
            case .session(let id): (4, id.rawValue)
            }
        }
    }

    private struct Entry {
        let at: Timestamp
        let subject: Subject

        func precedes(_ other: Entry) -> Bool {
            self.at != other.at ? self.at < other.at : self.subject.order < other.subject.order
        }
    }

    private var heap: [Entry] = []
    private var due: [Subject: Timestamp] = [:]

    /// How many subjects wait.
    var count: Int { self.due.count }

    /// The length of the heap, stale entries included.
    var heapCount: Int { self.heap.count }

    /// No later than the moment at which a subject comes up; nil when none waits.
    var next: Timestamp? { self.heap.first?.at }

    /// Asks for `subject` to come up at `at`, unless it comes up earlier anyway.
    mutating func schedule(_ subject: Subject, at: Timestamp) {
        if let current = self.due[subject], current <= at { return }
        self.due[subject] = at
        self.push(Entry(at: at, subject: subject))
        if self.heap.count > 2 * self.due.count + 64 { self.rebuild() }
    }

    /// Forgets `subject`.
    mutating func cancel(_ subject: Subject) { self.due[subject] = nil }

    /// Takes out the next subject whose moment has come; nil when none has.
    mutating func popDue(at now: Timestamp) -> Subject? {
        while let first = self.heap.first, first.at <= now {
            self.pop()
            guard self.due[first.subject] == first.at else { continue }
            self.due[first.subject] = nil
            return first.subject
        }
        return nil
    }

    private mutating func rebuild() {
        let entries = self.due.map { Entry(at: $0.value, subject: $0.key) }
        // A sorted array is a heap.
        self.heap = entries.sorted { $0.precedes($1) }
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

    private mutating func pop() {
        self.heap.swapAt(0, self.heap.count - 1)
        self.heap.removeLast()
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
