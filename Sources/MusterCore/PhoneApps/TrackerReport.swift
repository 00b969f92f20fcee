/// Fixes of a phone's own app, oldest first, from one HTTP request.
///
/// The world numbers them in the order of their arrival. Numbers made from their times would be lost whenever the
/// phone's clock is put back.
package struct TrackerReport: Sendable, Equatable {
    /// The HTTP request, which gets one acknowledgement once all fixes are decided.
    package var request: SessionID
    /// The user and the device.
    package var arrival: Arrival
    /// The well-formed fixes, whose `sequence` is ignored; empty for a sign of life.
    package var fixes: [Fix]
    /// The key of each fix.
    package var keys: [ReportKey]
    /// What storage has of the device's reports.
    package var stored: StoredReports

    /// Creates a report.
    package init(
        request: SessionID,
        arrival: Arrival,
        fixes: [Fix],
        keys: [ReportKey],
        stored: StoredReports = StoredReports()
    ) {
        precondition(fixes.count == keys.count, "every fix has a key")
        self.request = request
        self.arrival = arrival
        self.fixes = fixes
        self.keys = keys
        self.stored = stored
    }
}
