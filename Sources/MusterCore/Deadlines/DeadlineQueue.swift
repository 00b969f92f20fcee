// The queue has one lane per kind of subject. A lane is a binary heap, ordered by time and then by number, so that
// equal inputs always give equal outputs. `due` is authoritative: a heap entry that disagrees with it is stale and is
// dropped when it reaches the top. The heap is rebuilt when more than half of it is stale, so its length is at most
// about twice the number of subjects.

/// The next deadline of each subject: the earliest one that was scheduled.
///
/// Subjects are returned by time, then by kind, then by number.
struct DeadlineQueue {
    /// The owner of a deadline.
    enum Subject: Hashable {
        case user(UserID)
        case device(DeviceID)
        case group(GroupID)
        case locate(LocateID)
        case session(SessionID)
        case spot(SpotID)
        case catchUp(SessionID)
        case glance(SessionID)
        case tileFeed(GroupID)
        case event(EventID)

        fileprivate static var kinds: Int { 10 }

        fileprivate init(kind: Int, number: Int64) {
            switch kind {
            case 0: self = .user(UserID(number))
            case 1: self = .device(DeviceID(number))
            case 2: self = .group(GroupID(number))
            case 3: self = .locate(LocateID(number))
            case 4: self = .session(SessionID(number))
            case 5: self = .spot(SpotID(number))
            case 6: self = .catchUp(SessionID(number))
            case 7: self = .glance(SessionID(number))
            case 8: self = .tileFeed(GroupID(number))
            case _: self = .event(EventID(number))
            }
        }

        fileprivate var kind: Int {
            switch self {
            case .user: 0
            case .device: 1
            case .group: 2
            case .locate: 3
            case .session: 4
            case .spot: 5
            case .catchUp: 6
            case .glance: 7
            case .tileFeed: 8
            case .event: 9
            }
        }

        /// The name of the kind, for a log line.
        var kindName: String {
            switch self {
            case .user: "user"
            case .device: "device"
            case .group: "group"
            case .locate: "locate"
            case .session: "session"
            case .spot: "spot"
            case .catchUp: "catch-up"
            case .glance: "glance"
            case .tileFeed: "tile feed"
            case .event: "event"
            }
        }

        var number: Int64 {
            switch self {
            case .user(let id): id.rawValue
            case .device(let id): id.rawValue
            case .group(let id): id.rawValue
            case .locate(let id): id.rawValue
            case .session(let id): id.rawValue
            case .spot(let id): id.rawValue
            case .catchUp(let id): id.rawValue
            case .glance(let id): id.rawValue
            case .tileFeed(let id): id.rawValue
            case .event(let id): id.rawValue
            }
        }
    }

    // Separate lanes save the kind in each entry: 16 bytes instead of 24, in heap and dictionary.
    private var lanes = Array(repeating: DeadlineLane(), count: Subject.kinds)

    /// The number of waiting subjects.
    var count: Int { self.lanes.reduce(0) { $0 + $1.count } }

    /// The total length of the heaps, stale entries included.
    var heapCount: Int { self.lanes.reduce(0) { $0 + $1.heapCount } }

    /// A lower bound of the next deadline; nil when no subject waits.
    var next: Timestamp? { self.lanes.lazy.compactMap(\.next).min() }

    /// Schedules `subject` at `at`, unless it is due earlier.
    mutating func schedule(_ subject: Subject, at: Timestamp) {
        self.lanes[subject.kind].schedule(subject.number, at: at)
    }

    /// The deadline of `subject`; nil when it does not wait.
    func deadline(of subject: Subject) -> Timestamp? { self.lanes[subject.kind].deadline(of: subject.number) }

    /// Removes `subject`.
    mutating func cancel(_ subject: Subject) { self.lanes[subject.kind].cancel(subject.number) }

    /// Removes and returns the next due subject; nil when none is due.
    mutating func popDue(at now: Timestamp) -> Subject? {
        var first: (kind: Int, at: Timestamp)?
        for kind in self.lanes.indices {
            guard let at = self.lanes[kind].dropStale(), at <= now else { continue }
            if let known = first, known.at <= at { continue }
            first = (kind, at)
        }
        return first.map { Subject(kind: $0.kind, number: self.lanes[$0.kind].pop()) }
    }
}
