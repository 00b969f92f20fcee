// The stored state is a `GatheringState`; storage decides how it is written. Members and links are in
// GatheringMachine+StoredMembers, the phase is in GatheringMachine+StoredPhase.

/// The error for a stored state that is damaged.
struct StateDamage: Error {}

extension GatheringMachine {
    /// The state to store; nil if it need not be kept.
    package var stored: GatheringState? {
        let hasLinks = (0..<self.roster.count).contains { !self.graph.linked[$0].isEmpty }
        guard self.phase != .scattered || hasLinks || !self.cooldown.entries.isEmpty else { return nil }
        var candidateSince: StoredMoment?
        var gathering: GatheringState.Gathered?
        // Meetings from before the candidate phase cannot lead to a departure any more.
        var partings: [(pair: MemberPair, meeting: PairMeeting)] = []
        switch self.phase {
        case .scattered: break
        case .candidate(let since):
            candidateSince = StoredMoment(since)
            partings = self.graph.storedPartings(since: since)
        case .gathered(let gathered):
            gathering = self.state(of: gathered)
            partings = self.graph.storedPartings(since: gathered.status.since)
        }
        return GatheringState(
            version: GatheringState.version,
            at: StoredMoment(self.instant),
            members: self.roster.enrolled.enumerated().compactMap { self.state(of: $1, at: $0) },
            clusters: self.storedClusters,
            transitions: self.graph.storedTransitions.compactMap(self.state),
            partings: partings.compactMap(self.state),
            candidateSince: candidateSince,
            gathering: gathering,
            absence: self.absentees.map { absentees in
                GatheringState.Absence(
                    members: self.users(absentees.members),
                    doubts: absentees.doubts.compactMap { doubt in
                        self.roster.user(of: doubt.slot).map {
                            GatheringState.Doubt(user: $0, since: StoredMoment(doubt.since))
                        }
                    }
                )
            },
            cooldowns: self.cooldown.entries.map {
                GatheringState.Cooldown(user: $0.user, variant: $0.variant, at: StoredMoment($0.at))
            }
        )
    }

    /// Continues from a stored state; nil if the state is damaged or of an unknown version.
    ///
    /// A member with a position newer than the state counts as known since the state was stored, because they reported
    /// throughout.
    package init?(restoring stored: GatheringState, settings: GroupSettings, members: [Member], at now: Timestamp) {
        self.init(settings: settings, at: now)
        self.reserve(members.count)
        do throws(StateDamage) {
            try self.restore(stored.notAhead(of: self.instant))
        } catch {
            return nil
        }
        self.graph.recompute(settings: settings)
        self.followPhase()
        self.memberDeadline = self.instant

        let sharing = Dictionary(members.map { ($0.user, $0.isSharingLive) }) { first, _ in first }
        for user in self.users(self.roster.enrolled) where sharing[user] == nil { self.dismiss(user) }
        for member in members {
            guard let slot = self.roster.slot(of: member.user) else {
                self.enrol(member, at: now)
                continue
            }
            // If the member already did not share when the state was stored, this is no new withdrawal.
            if !member.isSharingLive, self.sharing.contains(slot) { self.forget(slot) }
            self.setSharing(member.isSharingLive, of: slot)
            // The machine's own time is still that of the state.
            if member.isSharingLive, let position = member.position { self.adopt(position, of: member.user, at: now) }
        }
        self.needsPhaseUpdate = true
    }

    private mutating func restore(_ state: GatheringState) throws(StateDamage) {
        guard state.version == GatheringState.version, state.members.count <= MemberSet.capacity else {
            throw StateDamage()
        }
        self.instant = min(state.at.moment, self.instant)
        for member in state.members { try self.restore(member) }
        for cluster in state.clusters { try self.restore(cluster) }
        for transition in state.transitions { try self.restore(transition) }
        for parting in state.partings { try self.restore(parting) }
        if let gathering = state.gathering {
            self.phase = .gathered(try self.gathering(from: gathering))
        } else if let since = state.candidateSince {
            self.phase = .candidate(since: since.moment)
        }
        if let absence = state.absence {
            var doubts: [AbsentMembers.Doubt] = []
            for doubt in absence.doubts {
                let slot = try self.storedSlot(of: doubt.user)
                guard !doubts.contains(where: { $0.slot == slot }) else { throw StateDamage() }
                doubts.append(AbsentMembers.Doubt(slot: slot, since: doubt.since.moment))
            }
            self.absentees = AbsentMembers(members: self.set(of: absence.members), doubts: doubts)
        }
        self.cooldown = AlertCooldown(
            entries: state.cooldowns.map {
                AlertCooldown.Entry(user: $0.user, variant: $0.variant, at: $0.at.moment)
            }
        )
    }

    /// The slot of a member.
    ///
    /// - Throws: `StateDamage` if the state does not list the member.
    func storedSlot(of user: UserID) throws(StateDamage) -> Int {
        guard let slot = self.roster.slot(of: user) else { throw StateDamage() }
        return slot
    }

    func set(of users: [UserID]) -> MemberSet {
        var set = MemberSet()
        for slot in users.compactMap({ self.roster.slot(of: $0) }) { set.insert(slot) }
        return set
    }
}
