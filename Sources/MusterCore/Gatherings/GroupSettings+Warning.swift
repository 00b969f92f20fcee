extension GroupSettings {
    /// The warning for an owner whose `radius` is too small for the accuracy of the members' devices; nil when it is
    /// not.
    ///
    /// - Parameter accuracies: the known accuracy radii of the members' newest positions, in metres.
    /// - Returns: a sentence, or nil.
    package func warning(accuracies: [Double]) -> String? {
        let known = accuracies.filter { $0 > 0 }.sorted()
        guard !known.isEmpty else { return nil }
        let median = (known[(known.count - 1) / 2] + known[known.count / 2]) / 2
        guard self.radius < 1.5 * median else { return nil }
        let (radius, least) = (Int(self.radius.rounded()), Int((1.5 * median).rounded(.up)))
        return "A radius of \(radius) m is too small for positions with an accuracy of \(Int(median.rounded())) m. "
            + "Members who are together may count as apart. Choose \(least) m or more."
    }
}

extension GroupSnapshot {
    /// The warning for the group's owner, derived from the members' newest positions.
    package var warning: String? {
        self.settings.warning(accuracies: self.members.compactMap { $0.position?.fix.accuracy.map(Double.init) })
    }
}
