import MusterCore
import MusterWire

// Users and groups are numbered from 1 in the order of their first appearance in the trace, and so are devices. The
// same trace therefore always has the same numbers.

/// The users, groups and devices of a trace, with their names and internal ids.
struct ReplayCast {
    /// A user of the trace.
    struct Person {
        let profile: UserProfile
        /// The groups of the user.
        var groups: [GroupID] = []
        /// The user's devices, in the order of their first fixes; rarely more than two.
        var devices: [Device] = []
    }

    /// A device of a user.
    struct Device {
        let name: String
        let id: DeviceID
        /// The kind, from the most recent line with one.
        var kind = DeviceKind.phone
        /// The highest sequence number so far, as storage would have it.
        var highestSequence: Int64 = 0
    }

    /// The accuracy of each user's newest fix, in metres.
    private var accuracies: [UserID: Double] = [:]

    /// The names of users and groups in the output.
    private(set) var names = IdentityNames()
    private var groups: [String: GroupSnapshot] = [:]
    private var places: [String: GroupPlaceID] = [:]
    private var people: [Person] = []
    private var indices: [String: Int] = [:]
    private var deviceCount: Int64 = 0

    /// The id of a user; nil when no group has named the user.
    func user(named name: String) -> UserID? { self.indices[name].map { self.people[$0].profile.id } }

    /// Whether a user is in a group.
    func isMember(_ user: UserID, of group: GroupID) -> Bool {
        self.people[Int(user.rawValue) - 1].groups.contains(group)
    }

    /// The sharing mode of a user in a group; nil for a non-member.
    func sharing(of user: UserID, in group: GroupID) -> Sharing.Mode? {
        self.names.groups[group].flatMap { self.groups[$0] }?.members.first { $0.user.id == user }?.sharing.mode
    }

    /// The groups of a user, with their names in the trace and their ids.
    func groups(of user: UserID) -> [(name: String, group: GroupID)] {
        self.people[Int(user.rawValue) - 1].groups.map { (self.names.groups[$0] ?? $0.description, $0) }
    }

    /// The settings of a group.
    func settings(of group: GroupID) -> GroupSettings? {
        self.names.groups[group].flatMap { self.groups[$0] }?.settings
    }

    /// The warning about a group's settings for its owner.
    func warning(of group: GroupID) -> String? {
        guard let snapshot = self.names.groups[group].flatMap({ self.groups[$0] }) else { return nil }
        return snapshot.settings.warning(accuracies: snapshot.members.compactMap { self.accuracies[$0.user.id] })
    }

    /// Defines or replaces a group, and keeps the sharing of its members.
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
            members: [],
            places: old?.places ?? []
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

    /// Defines or replaces a place; returns its group.
    ///
    /// Nil when the trace has not named the group, or a user of the place is not its member.
    mutating func define(_ line: TraceLine.Place, at now: Timestamp) -> GroupSnapshot? {
        guard var group = self.groups[line.group] else { return nil }
        func member(_ name: String) -> UserID? {
            self.user(named: name).flatMap { user in group.members.contains { $0.user.id == user } ? user : nil }
        }
        let place = self.places[line.id] ?? GroupPlaceID(Int64(self.places.count + 1))
        self.places[line.id] = place
        var consents: [GroupPlace.Consent] = []
        for choice in line.notify {
            guard let user = member(choice.user) else { return nil }
            let receivers = choice.to.compactMap(member)
            guard receivers.count == choice.to.count else { return nil }
            consents.append(GroupPlace.Consent(user: user, everybody: false, receivers: receivers, at: now))
        }
        group.revision += 1
        group.places.removeAll { $0.id == place }
        group.places.append(
            GroupPlace(
                id: place,
                group: group.id,
                name: line.name,
                icon: .other,
                coordinate: line.coordinate,
                radius: line.radius,
                by: nil,
                revision: group.revision,
                consents: consents
            )
        )
        group.places.sort { $0.id < $1.id }
        // A trace begins without stored states.
        group.arrivals = StoredArrivals()
        self.groups[line.group] = group
        return group
    }

    /// Applies a change of sharing; returns the changed groups.
    ///
    /// Nil when the trace has not named the user or the group, or the user is not a member.
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

    /// Converts a line to a report; nil when the trace has not named the user.
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
