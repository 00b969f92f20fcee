import Testing

@testable import MusterCore

// The naive model stores the members of each group with their sharing, the newest fix of each user, and the time at
// which the user's last session closed. A few lines derive the expected roster from it. The clients sit behind a mirror
// that follows the world as a gateway does. The mirror sends a client everything newer than the client's version,
// sometimes late. A client may disconnect and resume from any version that it has.

/// A member as a client shows it: the fields as the protocol sends them, where null differs from absence.
private struct Shown: Equatable {
    var name = ""
    var role = GroupSnapshot.Role.member
    var presence = Presence.offline
    var sharing = Sharing.Mode.live
    var hasLastSeen = false
    var coordinate: Coordinate?
    var accuracy: Float?
    var speed: Float?
    var freshness = Freshness.unknown

    mutating func apply(_ entry: RosterEntry) {
        if let profile = entry.profile {
            self.name = profile.name
            self.role = profile.role
            self.presence = profile.presence
            self.sharing = profile.sharing
            if profile.lastSeen != nil { self.hasLastSeen = true }
            if profile.withdrawsLastSeen { self.hasLastSeen = false }
        }
        guard let position = entry.position else { return }
        self.freshness = position.freshness
        if let coordinate = position.coordinate { self.coordinate = coordinate }
        if position.withdrawn.contains(.place) { self.coordinate = nil }
        if let accuracy = position.accuracy { self.accuracy = accuracy }
        if position.withdrawn.contains(.accuracy) { self.accuracy = nil }
        if let speed = position.speed { self.speed = speed }
        if position.withdrawn.contains(.speed) { self.speed = nil }
    }
}

/// A gateway's copy of a roster.
private struct Mirror {
    var roster: RosterSnapshot

    mutating func apply(_ change: RosterChange) {
        guard change.version.version > self.roster.version.version else { return }
        self.roster.version = change.version
        for user in change.gone {
            self.roster.members.removeAll { $0.user == user }
            self.roster.departures.append(.init(user: user, version: change.version.version))
        }
        for entry in change.members {
            self.roster.departures.removeAll { $0.user == entry.user }
            let index = self.roster.members.firstIndex { $0.user == entry.user } ?? self.roster.members.count
            if index == self.roster.members.count { self.roster.members.append(RosterEntry(user: entry.user)) }
            if let profile = entry.profile {
                self.roster.members[index].profile = profile
                self.roster.members[index].profileVersion = entry.profileVersion
            }
            if let position = entry.position {
                self.roster.members[index].position = position
                self.roster.members[index].positionVersion = entry.positionVersion
            }
        }
    }
}

/// One client's copy of one roster; it remains while the client is offline.
private struct Replica {
    var version: RosterVersion
    var members: [UserID: Shown] = [:]

    /// Applies everything newer in the mirror, by the rule of fragments.
    mutating func catchUp(with roster: RosterSnapshot) {
        let isFull = self.version.epoch != roster.version.epoch || self.version.version < roster.departuresKeptSince
        let since = isFull ? 0 : self.version.version
        if isFull { self.members = [:] }
        for departure in roster.departures where departure.version > since { self.members[departure.user] = nil }
        for entry in roster.members {
            var part = entry
            if entry.profileVersion <= since { part.profile = nil }
            if entry.positionVersion <= since { part.position = nil }
            guard part.profile != nil || part.position != nil else { continue }
            self.members[entry.user, default: Shown()].apply(part)
        }
        self.version = roster.version
    }
}

/// The world under random events, its naive model, and its clients.
private struct RandomRun {
    struct Membership {
        var sharing: Sharing
        var order: Int
    }
    struct Session {
        var id: SessionID
        var replicas: [GroupID: Replica] = [:]
        var sequence: Int64 = 0
    }

    static let users: [Int64] = Array(1...7)
    static let groups: [Int64] = [1, 2, 3]

    var random: SeededGenerator
    var test = WorldUnderTest { $0.groupIdle = 20_000 }
    // The model.
    var members: [Int64: [Int64: Membership]] = [:]
    var revisions: [Int64: Int64] = [:]
    var fixes: [Int64: Fix] = [:]
    var disconnected: [Int64: Timestamp] = [:]
    var takenBy: [Coordinate: Int64] = [:]
    // The clients.
    var sessions: [Int64: Session] = [:]
    var memories: [Int64: [GroupID: Replica]] = [:]
    var mirrors: [GroupID: Mirror] = [:]
    var sequences: [Int64: Int64] = [:]
    var nextSession: Int64 = 100
    var joins = 0
    // The coverage of the run, so that a generator without events is noticed.
    var comparisons = 0
    var resumes = 0

    init(seed: UInt64) {
        self.random = SeededGenerator(seed: seed)
        for group in Self.groups {
            self.revisions[group] = 1
            for user in Self.users.prefix(3) { self.join(user, group) }
        }
    }

    mutating func join(_ user: Int64, _ group: Int64) {
        self.joins += 1
        self.members[group, default: [:]][user] = Membership(sharing: Sharing(), order: self.joins)
    }

    func snapshot(_ group: Int64) -> GroupSnapshot {
        let members = (self.members[group] ?? [:]).sorted { $0.value.order < $1.value.order }
        var snapshot = WorldUnderTest.group(
            group,
            revision: self.revisions[group] ?? 1,
            members: members.map(\.key),
            sharing: Dictionary(uniqueKeysWithValues: members.map { ($0.key, $0.value.sharing) })
        )
        for index in snapshot.members.indices {
            let user = snapshot.members[index].user.id.rawValue
            snapshot.members[index].position = self.stored(user)
            snapshot.members[index].lastSeen = self.disconnected[user]
        }
        return snapshot
    }

    /// The user's position in storage.
    func stored(_ user: Int64) -> StoredPosition? {
        self.fixes[user].map { StoredPosition(device: DeviceID(user * 10), fix: $0, isStationary: false) }
    }

    func groups(of user: Int64) -> [Int64] { Self.groups.filter { self.members[$0]?[user] != nil } }

    // MARK: Steps

    mutating func step() {
        self.test.now = self.test.now + Int64.random(in: 1...900, using: &self.random)
        if Int.random(in: 0..<10, using: &self.random) == 0 {
            self.test.now = self.test.now + Int64.random(in: 1_000...400_000, using: &self.random)
        }
        var inputs: [WorldInput] = []
        for _ in 0..<Int.random(in: 1...4, using: &self.random) { self.event(into: &inputs) }
        self.test.effects = []
        for input in inputs { self.apply(input) }
        self.test.world.tick(at: self.test.now, into: &self.test.effects)
        self.test.world.endIteration(into: &self.test.effects)
        self.follow(self.test.effects)
        self.expectNoLeak(self.test.effects)
        for user in Self.users where Int.random(in: 0..<3, using: &self.random) == 0 { self.catchUp(user) }
    }

    private mutating func apply(_ input: WorldInput) {
        var effects: [WorldEffect] = []
        self.test.world.apply(input, at: self.test.now, into: &effects)
        self.test.effects += effects
        for case .ask(.group(let group)) in effects { self.apply(.groupLoaded(self.snapshot(group.rawValue))) }
    }

    private mutating func event(into inputs: inout [WorldInput]) {
        let user = Self.users.randomElement(using: &self.random) ?? 1
        let group = Self.groups.randomElement(using: &self.random) ?? 1
        switch Int.random(in: 0..<19, using: &self.random) {
        case 0..<9: self.move(user, into: &inputs)
        case 9..<12: self.toggleSession(user, into: &inputs)
        case 12..<15: self.toggleMembership(user, group, into: &inputs)
        default: self.share(user, group, into: &inputs)
        }
    }

    private mutating func move(_ user: Int64, into inputs: inout [WorldInput]) {
        guard let session = self.sessions[user] else { return }
        let sequence = (self.sequences[user] ?? 0) + 1
        self.sequences[user] = sequence
        // Steps of 105 m: too far to be stationary, and, given the accuracies, not too far for one second.
        let coordinate = Coordinate(
            latitude: 10 * Double(user) + Double(sequence) * 105 / Coordinate.metresPerDegree,
            longitude: 20 * Double(user)
        )
        let accuracy: Float? = sequence.isMultiple(of: 2) ? nil : 12
        var fix = Fix(sequence: sequence, at: self.test.now, coordinate: coordinate, accuracy: accuracy)
        if Bool.random(using: &self.random) { fix.speed = Float(sequence) }
        self.fixes[user] = fix
        self.takenBy[coordinate] = user
        inputs.append(.fixReceived(session.id, fix))
    }

    private mutating func toggleSession(_ user: Int64, into inputs: inout [WorldInput]) {
        if let session = self.sessions.removeValue(forKey: user) {
            self.memories[user] = session.replicas
            self.disconnected[user] = self.test.now
            inputs.append(.sessionClosed(session.id))
            return
        }
        self.nextSession += 1
        let replicas = self.memories[user] ?? [:]
        self.resumes += replicas.count
        self.sessions[user] = Session(id: SessionID(self.nextSession))
        var opening = WorldUnderTest.opening(
            self.nextSession,
            user: user,
            groups: self.groups(of: user),
            resume: replicas.mapValues(\.version)
        )
        opening.arrival.position = self.stored(user)
        opening.arrival.lastSeen = self.disconnected[user]
        inputs.append(.sessionOpened(opening))
    }

    private mutating func toggleMembership(_ user: Int64, _ group: Int64, into inputs: inout [WorldInput]) {
        if self.members[group]?[user] != nil {
            self.members[group]?[user] = nil
        } else {
            self.join(user, group)
        }
        self.publish(group, into: &inputs)
    }

    private mutating func share(_ user: Int64, _ group: Int64, into inputs: inout [WorldInput]) {
        guard let before = self.members[group]?[user]?.sharing.inForce(at: self.test.now) else { return }
        let mode = Sharing.Mode.allCases.randomElement(using: &self.random) ?? .live
        let until = Bool.random(using: &self.random) ? self.test.now + 20_000 : nil
        let isResumed = before.mode == .paused && mode != .paused
        let visibleSince = isResumed ? self.test.now : before.visibleSince
        self.members[group]?[user]?.sharing = Sharing(
            mode: mode,
            until: until,
            then: Sharing.After.allCases.randomElement(using: &self.random) ?? .live,
            visibleSince: visibleSince
        )
        self.publish(group, into: &inputs)
    }

    private mutating func publish(_ group: Int64, into inputs: inout [WorldInput]) {
        self.revisions[group, default: 1] += 1
        inputs.append(.groupChanged(self.snapshot(group), answer: nil))
    }

    // MARK: The gateway and its clients

    private mutating func follow(_ effects: [WorldEffect]) {
        for effect in effects {
            switch effect {
            case .rosterChanged(let change): self.mirrors[change.group]?.apply(change)
            case .rosterClosed(let group): self.mirrors[group] = nil
            case .rosterShown(let roster):
                if self.mirrors[roster.group] == nil { self.mirrors[roster.group] = Mirror(roster: roster) }
            case .subscribe(let id, let group, let resume):
                self.subscribe(id, to: group, resume: resume)
            // A client keeps its copy of a group until it receives its removal.
            case .leftGroup(let id, let group, _, _):
                for user in Self.users where self.sessions[user]?.id == id {
                    self.sessions[user]?.replicas[group] = nil
                }
            default: break
            }
        }
    }

    private mutating func subscribe(_ id: SessionID, to group: GroupID, resume: RosterVersion?) {
        guard let mirror = self.mirrors[group] else {
            Issue.record("a session follows a roster that is not there")
            return
        }
        for user in Self.users where self.sessions[user]?.id == id {
            let known = resume.flatMap { _ in self.memories[user]?[group] }
            var replica = known ?? Replica(version: RosterVersion(epoch: "", version: 0))
            replica.catchUp(with: mirror.roster)
            self.sessions[user]?.replicas[group] = replica
        }
    }

    mutating func catchUp(_ user: Int64) {
        guard let session = self.sessions[user] else { return }
        #expect(Set(session.replicas.keys.map(\.rawValue)) == Set(self.groups(of: user)))
        for (group, replica) in session.replicas {
            guard let mirror = self.mirrors[group] else { continue }
            var replica = replica
            replica.catchUp(with: mirror.roster)
            self.sessions[user]?.replicas[group] = replica
            let expected = self.expected(group.rawValue)
            #expect(Set(replica.members.keys) == Set(expected.keys))
            for (user, shown) in expected { #expect(replica.members[user] == shown, "\(user) in \(group)") }
            self.comparisons += 1
        }
    }

    // MARK: The model

    func expected(_ group: Int64) -> [UserID: Shown] {
        let first = (self.members[group] ?? [:]).min { $0.value.order < $1.value.order }?.key
        var expected: [UserID: Shown] = [:]
        for (user, membership) in self.members[group] ?? [:] {
            var shown = Shown()
            shown.name = "user \(user)"
            shown.role = user == first ? .owner : .member
            let gone = self.disconnected[user]
            let isOnline = self.sessions[user] != nil || gone.map { self.test.now < $0 + 15_000 } ?? false
            shown.presence = isOnline ? .online : .offline
            shown.hasLastSeen = !isOnline && gone != nil
            let sharing = membership.sharing.inForce(at: self.test.now)
            shown.sharing = sharing.mode
            if let fix = self.fixes[user], let at = fix.at, sharing.mode != .paused, at >= sharing.visibleSince {
                let isExact = sharing.mode == .live
                shown.coordinate = isExact ? fix.coordinate : fix.coordinate.snappedToGrid
                shown.accuracy = isExact ? fix.accuracy : Sharing.gridAccuracy
                shown.speed = isExact ? fix.speed : nil
                shown.freshness = Freshness(of: at, isStationary: false, at: self.test.now)
            }
            expected[UserID(user)] = shown
        }
        return expected
    }

    /// Checks that no effect for other users carries a position that they may not see now.
    private func expectNoLeak(_ effects: [WorldEffect]) {
        for effect in effects {
            switch effect {
            case .rosterChanged(let change):
                for entry in change.members {
                    guard let place = entry.position?.coordinate else { continue }
                    let allowed = self.expected(change.group.rawValue)[entry.user]?.coordinate
                    #expect(place == allowed, "\(entry.user) in \(change.group)")
                }
                #expect(change.gathering == .unchanged)
            case .selfMoved(let session, let position):
                #expect(self.takenBy[position.coordinate].flatMap { self.sessions[$0]?.id } == session)
            case .locate(.found), .locate(.asked), .locate(.pushed), .notify: Issue.record("nobody asked for this")
            case .welcome, .answer, .refused, .reportRefused, .acknowledged, .badFix, .resend, .locate(.started),
                .locate(.expired), .close, .rosterShown, .subscribe, .unsubscribe, .leftGroup, .rosterClosed, .journal,
                .ask, .publish, .publishNear, .glance, .clusters, .events, .chat, .phoneApps, .groupViewed, .trouble:
                break
            }
        }
    }
}

@Suite struct WorldModelTests {
    @Test(
        "every client converges to the naive model, however slow, wherever it resumes; nothing hidden ever leaves",
        arguments: 1...40 as ClosedRange<UInt64>
    )
    func converges(seed: UInt64) {
        var run = RandomRun(seed: seed)
        for _ in 0..<250 { run.step() }
        for user in RandomRun.users { run.catchUp(user) }
        #expect(run.comparisons > 100 && run.resumes > 20, "the run covers something")
    }
}
