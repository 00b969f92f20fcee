/// The counters of the world since the start.
struct WorldTotals {
    var fixes = [Int](repeating: 0, count: FixVerdict.allCases.count)
    var badFixes = 0
    var alerts = 0
    var arrivals = 0
    var glances = 0
    var unnoticedGlances = 0
    var stalledDeadlines = 0
    var suspensions = 0

    /// Counts a fix.
    mutating func count(_ verdict: FixVerdict) {
        if let index = FixVerdict.allCases.firstIndex(of: verdict) { self.fixes[index] += 1 }
    }
}

/// The sizes and counters of the world, for operators.
package struct WorldCounters: Sendable, Equatable {
    /// Loaded users.
    package var users: Int
    /// Loaded groups.
    package var groups: Int
    /// Sessions, including those not admitted yet.
    package var sessions: Int
    /// Loaded devices.
    package var devices: Int
    /// Well-formed fixes since the start, by verdict.
    package var fixes: [FixVerdict: Int]
    /// Malformed fixes since the start.
    var badFixes: Int
    /// Fixes and notifications whose records are not durable yet.
    var pendingAcks: Int
    /// Records that are not durable yet.
    var journalBacklog: Int64
    /// Open gatherings.
    package var openGatherings: Int
    /// Alerts raised since the start.
    package var alerts: Int
    /// Arrivals and departures decided since the start.
    package var arrivals: Int
    /// Users who notify others of arrivals.
    package var tellers: Int
    /// Sessions that receive glances.
    package var watches: Int
    /// Glances sent since the start.
    package var glances: Int
    /// Glances since the start that were not sent because the wearer would not notice a difference.
    package var unnoticedGlances: Int
    /// Events that are not over.
    package var events: Int
    /// Sessions that are subscribed to events.
    package var eventSubscriptions: Int
    /// Deadlines since the start that made no progress and were postponed.
    package var stalledDeadlines: Int
    /// Suspensions of groups since the start.
    package var suspensions: Int
    /// Groups that are suspended.
    package var suspendedGroups: Int
}

extension World {
    /// The current counters.
    ///
    /// - Complexity: O(groups), because it counts open gatherings and suspended groups.
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
            arrivals: self.totals.arrivals,
            tellers: self.arrivals.count,
            watches: self.glances.count,
            glances: self.totals.glances,
            unnoticedGlances: self.totals.unnoticedGlances,
            events: self.events.count,
            eventSubscriptions: self.eventSubscriptions.count,
            stalledDeadlines: self.totals.stalledDeadlines,
            suspensions: self.totals.suspensions,
            suspendedGroups: self.groups.indices.count { self.groups[$0].suspension != nil }
        )
    }
}
