@testable import MusterCore

/// A world with its clock and all its effects.
struct WorldUnderTest {
    static let start = Timestamp(milliseconds: 1_750_000_000_000)

    var world: World
    var now: Timestamp
    /// The effects of the last batch.
    var effects: [WorldEffect] = []
    /// The highest record number.
    var lastRecord: Int64 = 0
    /// Notifications that are not committed yet, which storage will number.
    var unnumbered: [(record: Int64, user: UserID)] = []
    var lastNumbers: [UserID: Int64] = [:]

    init(_ change: (inout WorldConfiguration) -> Void = { _ in }) {
        var configuration = WorldConfiguration(startedAt: Self.start)
        change(&configuration)
        self.world = World(configuration: configuration)
        // Long after the restart, when no stored state is still waiting.
        self.now = Self.start + 3_600_000
    }

    /// Users 7 and 8 in group 1.
    ///
    /// 7 has the sessions 1 and 2, and 3 with a wearable.
    static func town() -> WorldUnderTest {
        var test = WorldUnderTest()
        test.open(1, user: 7, device: 71, members: [1: [7, 8]])
        test.open(2, user: 7, device: 72, members: [1: [7, 8]])
        test.iterate(.sessionOpened(Self.opening(3, user: 7, device: 73, groups: [1], isWatch: true)))
        test.open(8, user: 8, members: [1: [7, 8]])
        return test
    }

    /// Applies inputs as one batch.
    @discardableResult
    mutating func iterate(_ inputs: WorldInput...) -> [WorldEffect] { self.iterate(inputs) }

    /// Applies inputs as one batch.
    @discardableResult
    mutating func iterate(_ inputs: [WorldInput]) -> [WorldEffect] {
        self.effects = []
        self.world.apply(inputs, at: self.now, into: &self.effects)
        self.finish()
        return self.effects
    }

    /// Advances time in ticks of one second, and returns the effects of all of them.
    @discardableResult
    mutating func pass(_ milliseconds: Int64) -> [WorldEffect] {
        let end = self.now + milliseconds
        var all: [WorldEffect] = []
        while self.now < end {
            self.now = min(end, self.now + 1_000)
            self.effects = []
            self.world.tick(at: self.now, into: &self.effects)
            self.finish()
            all += self.effects
        }
        self.effects = all
        return all
    }

    /// Marks all records so far as durable, and numbers notifications as storage does.
    @discardableResult
    mutating func commit(failed: [Int64] = []) -> [WorldEffect] {
        var numbers: [NumberedRecord] = []
        for entry in self.unnumbered where !failed.contains(entry.record) {
            numbers.append(NumberedRecord(record: entry.record, number: self.number(for: entry.user)))
        }
        self.unnumbered = []
        return self.iterate(.committed(through: self.lastRecord, failed: failed, numbers: numbers))
    }

    /// The next notification number of a user, as a transaction assigns it.
    mutating func number(for user: UserID) -> Int64 {
        self.lastNumbers[user, default: 0] += 1
        return self.lastNumbers[user, default: 0]
    }

    private mutating func finish() {
        self.world.endIteration(into: &self.effects)
        for case .journal(let number, let record) in self.effects {
            precondition(number == self.lastRecord + 1, "records are numbered without gaps")
            self.lastRecord = number
            if case .notification(let notification) = record { self.unnumbered.append((number, notification.user)) }
        }
    }
}

/// Short names for common test values.
extension WorldUnderTest {
    static func profile(_ user: Int64) -> UserProfile { UserProfile(id: UserID(user), name: "user \(user)") }

    /// The arrival of a user on the device `device`, by default their first.
    static func arrival(_ user: Int64, device: Int64? = nil, groups: [Int64] = [], acked: Int64 = 0) -> Arrival {
        Arrival(
            user: self.profile(user),
            device: DeviceID(device ?? user * 10),
            kind: .phone,
            acknowledgedSequence: acked,
            clockOffset: 0,
            groups: groups.map { GroupID($0) }
        )
    }

    static func opening(
        _ session: Int64,
        user: Int64,
        device: Int64? = nil,
        groups: [Int64] = [],
        isWatch: Bool = false,
        resume: [GroupID: RosterVersion] = [:]
    ) -> SessionOpening {
        SessionOpening(
            session: SessionID(session),
            tag: .number(1),
            arrival: self.arrival(user, device: device, groups: groups),
            login: LoginID(user),
            isWatch: isWatch,
            resume: resume
        )
    }

    static func group(
        _ id: Int64,
        revision: Int64 = 1,
        members: [Int64],
        sharing: [Int64: Sharing] = [:]
    ) -> GroupSnapshot {
        GroupSnapshot(
            id: GroupID(id),
            revision: revision,
            name: "group \(id)",
            members: members.map { user in
                GroupSnapshot.Member(
                    user: self.profile(user),
                    role: user == members.first ? .owner : .member,
                    sharing: sharing[user] ?? Sharing(),
                    joinedAt: Self.start
                )
            }
        )
    }

    static func change(
        _ id: Int64,
        of user: Int64,
        in group: Int64? = nil,
        _ mode: Sharing.Mode,
        until: Timestamp? = nil,
        then: Sharing.After = .live
    ) -> SharingChange {
        SharingChange(
            id: SharingChangeID(id),
            user: UserID(user),
            group: group.map { GroupID($0) },
            mode: mode,
            until: until,
            then: then
        )
    }

    static func answer(_ session: Int64) -> PreparedAnswer { PreparedAnswer(session: SessionID(session), frame: [1]) }

    /// Opens a session of `user` for `groups`, which are loaded as soon as the world requests them.
    @discardableResult
    mutating func open(
        _ session: Int64,
        user: Int64,
        device: Int64? = nil,
        members: [Int64: [Int64]] = [:]
    )
        -> [WorldEffect]
    {
        let groups = members.keys.sorted()
        let opening = Self.opening(session, user: user, device: device, groups: groups)
        let loads = groups.filter { self.world.roster(of: GroupID($0)) == nil }
        let inputs = loads.map { WorldInput.groupLoaded(Self.group($0, members: members[$0] ?? [])) }
        return self.iterate([.sessionOpened(opening)] + inputs)
    }

    /// A fix of a session, taken now by default.
    func fix(_ sequence: Int64, lat: Double = 50, lon: Double = 8, at: Timestamp? = nil) -> Fix {
        Fix(sequence: sequence, at: at ?? self.now, coordinate: Coordinate(latitude: lat, longitude: lon), accuracy: 5)
    }

    /// A report of a session: one fix as a single-fix frame, several as a batch frame.
    static func report(_ session: Int64, _ fixes: Fix...) -> WorldInput {
        if fixes.count == 1, let fix = fixes.first { return .fixReceived(SessionID(session), fix) }
        return .fixesReceived(FixReport(origin: .session(SessionID(session)), fixes: fixes))
    }

    func presence(of user: Int64, in group: Int64 = 1) -> Presence? {
        self.world.roster(of: GroupID(group))?.members.first { $0.user == UserID(user) }?.profile?.presence
    }

    func sharing(of user: Int64, in group: Int64 = 1) -> Sharing.Mode? {
        self.world.roster(of: GroupID(group))?.members.first { $0.user == UserID(user) }?.profile?.sharing
    }

    func position(of user: Int64, in group: Int64 = 1) -> RosterEntry.Position? {
        self.world.roster(of: GroupID(group))?.members.first { $0.user == UserID(user) }?.position
    }
}

/// The effects of one kind, in comparable form.
extension [WorldEffect] {
    var acknowledgements: [Acknowledgement] {
        self.compactMap { if case .acknowledged(_, let value) = $0 { value } else { nil } }
    }
    var changes: [RosterChange] { self.compactMap { if case .rosterChanged(let value) = $0 { value } else { nil } } }
    var records: [JournalRecord] { self.compactMap { if case .journal(_, let value) = $0 { value } else { nil } } }
    var closes: [SessionID: SessionEnd] {
        var closes: [SessionID: SessionEnd] = [:]
        for case .close(let session, let end) in self { closes[session] = end }
        return closes
    }
    /// The version at which each session was removed from a group.
    var departures: [Int64: UInt64] {
        var departures: [Int64: UInt64] = [:]
        for case .leftGroup(let session, _, _, let version) in self { departures[session.rawValue] = version }
        return departures
    }
    var subscriptions: [GroupID] { self.compactMap { if case .subscribe(_, let group, _) = $0 { group } else { nil } } }
    var resends: [Int64] { self.compactMap { if case .resend(_, let after) = $0 { after } else { nil } } }
    /// The numbers of the notifications that were sent, each once regardless of the number of sessions.
    var alerts: [Int64] { self.compactMap { if case .notify(_, let alert, _) = $0 { alert.number } else { nil } } }
    /// The live messages to a session, in order.
    func messages(to session: Int64) -> [LiveMessage] {
        self.compactMap { effect in
            if case .publish(let sessions, let message) = effect, sessions.contains(SessionID(session)) {
                message
            } else {
                nil
            }
        }
    }
    /// The numbers of the notifications that a session received, in order.
    func notified(_ session: Int64) -> [Int64] {
        self.compactMap { effect in
            if case .notify(let sessions, let notification, _) = effect, sessions.contains(SessionID(session)) {
                notification.number
            } else {
                nil
            }
        }
    }
    /// The questions to storage.
    var questions: [StorageQuestion] { self.compactMap { if case .ask(let question) = $0 { question } else { nil } } }
    /// The users whose notifications are read from storage.
    var queries: [UserID] { self.compactMap { if case .ask(.inbox(let user)) = $0 { user } else { nil } } }

    /// One word per effect, without records, for checks of the order.
    var story: [String] {
        self.compactMap { effect in
            switch effect {
            case .welcome: "welcome"
            case .answer: "answer"
            case .refused: "refused"
            case .reportRefused: "reportRefused"
            case .acknowledged: "acknowledged"
            case .badFix: "badFix"
            case .resend: "resend"
            case .selfMoved: "self"
            case .locate(.started): "locateStarted"
            case .locate(.asked): "locate"
            case .locate(.pushed): "locatePushed"
            case .locate(.found): "located"
            case .locate(.expired): "locateExpired"
            case .publish, .publishNear: "publish"
            case .notify: "alert"
            case .ask(.ended): "checkLogins"
            case .ask(.inbox): "readNotifications"
            case .close: "close"
            case .rosterShown: nil
            case .subscribe: "subscribe"
            case .unsubscribe: "unsubscribe"
            case .leftGroup: "leftGroup"
            case .rosterChanged: "rosterChanged"
            case .rosterClosed: "rosterClosed"
            case .journal: nil
            case .ask(.group): "loadGroup"
            case .ask(.missedSpots): "readSpots"
            case .ask(.votes): "countVotes"
            case .glance: "glance"
            case .ask(.spotTexts): "readSpotTexts"
            case .clusters: "atlas"
            case .events(.subscribed): "eventsWatched"
            case .events(.pushed): "events"
            case .events(.shown): "eventShown"
            case .chat, .ask(.rooms), .ask(.roomChanges), .ask(.roomVersions), .ask(.event): nil
            case .groupViewed: "groupViewed"
            case .phoneApps: "phoneViewed"
            case .trouble: "trouble"
            }
        }
    }
}
