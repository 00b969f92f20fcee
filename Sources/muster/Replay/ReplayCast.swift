import MusterCore
import MusterWire

// People and groups are numbered from 1 in the order in which the trace first names them, and devices likewise, so that the
// same trace always gives the same numbers.

/// The people, groups and devices of a trace: their names there, and what they are inside.
struct ReplayCast {
    /// A person of the trace.
    struct Person {
        let profile: UserProfile
        /// Groups that they are a member of, by number.
        var groups: [GroupID] = []
        /// Their devices, in the order in which they first spoke; seldom more than two.
        var devices: [Device] = []
    }

    /// A device of a person.
    struct Device {
        let name: String
        let id: DeviceID
        /// What it is, as a line said last.
        var kind = DeviceKind.phone
        /// The highest number of a fix so far, which is what storage would know of it.
        var highestSequence: Int64 = 0
    }

    /// The radius that each person's newest fix had, in metres.
    private var accuracies: [UserID: Double] = [:]

    /// What the output calls people and groups.
    private(set) var names = IdentityNames()
    private var groups: [String: GroupSnapshot] = [:]
    private var people: [Person] = []
    private var indices: [String: Int] = [:]
    private var deviceCount: Int64 = 0

    /// The number of a person; nil when no group ever named them.
    func user(named name: String) -> UserID? { self.indices[name].map { self.people[$0].profile.id } }

    /// Whether a person is in a group.
    func isMember(_ user: UserID, of group: GroupID) -> Bool {
        self.people[Int(user.rawValue) - 1].groups.contains(group)
    }

    /// What a person lets a group see; nil when they are not in it.
    func sharing(of user: UserID, in group: GroupID) -> Sharing.Mode? {
        self.names.groups[group].flatMap { self.groups[$0] }?.members.first { $0.user.id == user }?.sharing.mode
    }

    /// The groups of a person: what the trace calls them, and what they are inside.
    func groups(of user: UserID) -> [(name: String, group: GroupID)] {
        self.people[Int(user.rawValue) - 1].groups.map { (self.names.groups[$0] ?? $0.description, $0) }
    }

    /// What a group's owner chose.
    func settings(of group: GroupID) -> GroupSettings? {
        self.names.groups[group].flatMap { self.groups[$0] }?.settings
    }

    /// What a group's owner should know about its settings.
    func warning(of group: GroupID) -> String? {
        guard let snapshot = self.names.groups[group].flatMap({ self.groups[$0] }) else { return nil }
        return snapshot.settings.warning(accuracies: snapshot.members.compactMap { self.accuracies[$0.user.id] })
    }

    /// Takes over a group as a line describes it, keeping what its members share.
    mutating func define(_ line: TraceLine.Group, at now: Timestamp) -> GroupSnapshot {
        let old = self.groups[line.id]
        let id = old?.id ?? GroupID(Int64(self.groups.count + 1))
        self.names.groups[id] = line.id
        for member in old?.members ?? [] {
            self.people[Int(member.user.id.rawValue) - 1].groups.removeAll { $0 == id }
        }
        var snapshot = GroupSnapshot(
            id: id,
            revision: (old?.revision ?? 0) + 1,
            name: line.name,
            settings: line.settings.applied(to: GroupSettings()),
            members: []
        )
        for (place, name) in line.members.enumerated() {
            let person = self.person(named: name)
            self.people[person].groups.append(id)
            let known = old?.members.first { $0.user.id == self.people[person].profile.id }
            var member =
                known ?? GroupSnapshot.Member(user: self.people[person].profile, joinedAt: now)
            member.role = place == 0 ? .owner : .member
            snapshot.members.append(member)
        }
        self.groups[line.id] = snapshot
        return snapshot
    }

    /// Takes over what a person lets others see; returns the groups that this changes.
    ///
    /// Nil when the trace never named the person, or the group, or they are not in it.
    mutating func choose(_ line: TraceLine.Choice) -> [GroupSnapshot]? {
        guard let index = self.indices[line.user] else { return nil }
        let person = self.people[index]
        let all = person.groups.compactMap { self.names.groups[$0] }
        guard line.group.map(all.contains) ?? true else { return nil }
        var changed: [GroupSnapshot] = []
        for name in line.group.map({ [$0] }) ?? all {
            guard var group = self.groups[name],
                let place = group.members.firstIndex(where: { $0.user.id == person.profile.id })
            else { continue }
            group.revision += 1
            group.members[place].sharing = Sharing(mode: line.mode, until: line.until)
            self.groups[name] = group
            changed.append(group)
        }
        return changed
    }

    /// The report that a line stands for; nil when the trace never named the person.
    mutating func report(_ line: TraceLine.Report) -> FixReport? {
        guard let index = self.indices[line.user] else { return nil }
        let place = self.device(named: line.device, of: index)
        if let kind = line.kind { self.people[index].devices[place].kind = kind }
        var fix = line.fix
        self.accuracies[self.people[index].profile.id] = fix.accuracy.map(Double.init)
        let known = self.people[index].devices[place].highestSequence
        if fix.sequence == 0 { fix.sequence = known + 1 }
        self.people[index].devices[place].highestSequence = max(known, fix.sequence)
        let arrival = Arrival(
            user: self.people[index].profile,
            device: self.people[index].devices[place].id,
            kind: self.people[index].devices[place].kind,
            acknowledgedSequence: known
        )
        return FixReport(origin: .request(SessionID(1)), arrival: arrival, fixes: [fix])
    }

    private mutating func person(named name: String) -> Int {
        if let known = self.indices[name] { return known }
        let id = UserID(Int64(self.people.count + 1))
        self.people.append(Person(profile: UserProfile(id: id, name: name)))
        self.indices[name] = self.people.count - 1
        self.names.users[id] = name
        return self.people.count - 1
    }

    private mutating func device(named name: String, of person: Int) -> Int {
        if let known = self.people[person].devices.firstIndex(where: { $0.name == name }) { return known }
        self.deviceCount += 1
        self.people[person].devices.append(Device(name: name, id: DeviceID(self.deviceCount)))
        return self.people[person].devices.count - 1
    }
}
