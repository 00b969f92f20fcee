extension GroupSettings {
    /// What to tell an owner whose settings cannot work with the positions that the members' devices give; nil while they can.
    ///
    /// - Parameter accuracies: the radii in metres of the members' newest positions, as far as they are known.
    /// - Returns: a sentence, or nil.
    package func warning(accuracies: [Double]) -> String? {
        let known = accuracies.filter { $0 > 0 }.sorted()
        guard !known.isEmpty else { return nil }
        let median = (known[(known.count - 1) / 2] + known[known.count / 2]) / 2
        guard self.radius < 1.5 * median else { return nil }
        let (radius, least) = (Int(self.radius.rounded()), Int((1.5 * median).rounded(.up)))
        return "A radius of \(radius) m is too small for positions that are \(Int(median.rounded())) m exact: "
            + "people who are together may not be seen so. Choose \(least) m or more."
    }
}

extension GroupSnapshot {
    /// What to tell the group's owner about its settings, as far as the members' newest positions say.
    package var warning: String? {
        self.settings.warning(accuracies: self.members.compactMap { $0.position?.fix.accuracy.map(Double.init) })
    }
}
