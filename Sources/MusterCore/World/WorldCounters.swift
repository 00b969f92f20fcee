/// What the world has counted since it began.
struct WorldTotals {
    var fixes = [Int](repeating: 0, count: FixVerdict.allCases.count)
    var badFixes = 0
    var alerts = 0
    var glances = 0
    var unnoticedGlances = 0
    var stalledDeadlines = 0
    var setAsides = 0

    /// Counts a fix.
    mutating func count(_ verdict: FixVerdict) {
        if let index = FixVerdict.allCases.firstIndex(of: verdict) { self.fixes[index] += 1 }
    }
}

/// How much the world holds and has done, for operators.
package struct WorldCounters: Sendable, Equatable {
    /// People held.
    package var users: Int
    /// Groups held.
    package var groups: Int
    /// Sessions, waiting ones included.
    package var sessions: Int
    /// Devices held.
    package var devices: Int
    /// Well-formed fixes since the start, by verdict.
    package var fixes: [FixVerdict: Int]
    /// Malformed fixes since the start.
    package var badFixes: Int
    /// Fixes and alerts that wait for the journal.
    package var pendingAcks: Int
    /// Records that are not durable yet.
    package var journalBacklog: Int64
    /// Gatherings that last.
    package var openGatherings: Int
    /// Alerts decided since the start.
    package var alerts: Int
    /// Sessions that are sent glances.
    package var watches: Int
    /// Glances sent since the start.
    package var glances: Int
    /// Glances since the start that were made and not sent, because nobody would have noticed anything.
    package var unnoticedGlances: Int
    /// Events that are not over.
    package var events: Int
    /// Sessions that watch for events.
    package var eventWatches: Int
    /// Deadlines since the start that did not pass, and were put off.
    package var stalledDeadlines: Int
    /// How often since the start a group was set aside.
    package var setAsides: Int
    /// Groups that are set aside.
    package var groupsSetAside: Int
}

extension World {
    /// How much there is now.
    ///
    /// - Complexity: O(groups), for the gatherings.
    package var counters: WorldCounters {
        WorldCounters(
            users: self.users.count,
            groups: self.groups.count,
            sessions: self.sessions.count,
            devices: self.devices.count,
            fixes: Dictionary(uniqueKeysWithValues: zip(FixVerdict.allCases, self.totals.fixes)),
            badFixes: self.totals.badFixes,
            pendingAcks: self.journal.waitingCount,
            journalBacklog: self.journal.backlog,
            openGatherings: self.groups.indices.count { self.groups[$0].hasOpenGathering },
            alerts: self.totals.alerts,
            watches: self.glances.count,
            glances: self.totals.glances,
            unnoticedGlances: self.totals.unnoticedGlances,
            events: self.events.count,
            eventWatches: self.eventWatches.count,
            stalledDeadlines: self.totals.stalledDeadlines,
            setAsides: self.totals.setAsides,
            groupsSetAside: self.groups.indices.count { self.groups[$0].setAside != nil }
        )
    }
}
