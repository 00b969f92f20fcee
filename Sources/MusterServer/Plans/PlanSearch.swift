import MusterCore

/// Asks sources for the places of categories, all at once, and once more further away where there is nothing.
struct PlanSearch: Sendable {
    /// What sources said.
    struct Findings: Sendable {
        /// The places of each category; of those that are not here there are none.
        var places: [PlaceCategory: [ProvidedPlace]] = [:]
        /// How each source did with each category, in the order of the categories.
        var sources: [SourceReport] = []
        /// Whom to name.
        var attribution: [String] = []
        /// Milliseconds after which asking again makes sense, where a source failed and knows.
        var retryAfter: Int64?

        /// Whether a source failed.
        var hasFailures: Bool { self.sources.contains { $0.state.isFailure } }
    }

    /// The categories, each once.
    let categories: [PlaceCategory]
    let center: Coordinate
    /// Metres.
    let radius: Double
    /// When answers are of no use any more, in milliseconds of the process's monotonic clock.
    let deadline: Int64

    /// Asks all sources; it ends by the deadline, as they do.
    func findings(of providers: [any CategoryProvider]) async -> Findings {
        var answers = await self.answers(of: providers, self.categories, within: self.radius)
        let bare = self.categories.filter { category in
            let ofCategory = answers.filter { $0.source.category == category }
            return ofCategory.allSatisfy { $0.places.isEmpty && !$0.source.state.isFailure }
        }
        if !bare.isEmpty {
            let more = await self.answers(of: providers, bare, within: 2 * self.radius)
            answers = answers.filter { !bare.contains($0.source.category) } + more
        }
        return self.findings(in: answers)
    }

    private func answers(
        of providers: [any CategoryProvider],
        _ categories: [PlaceCategory],
        within radius: Double
    ) async -> [CategoryAnswer] {
        await withTaskGroup(of: CategoryAnswer.self) { group in
            for category in categories {
                let search = CategorySearch(
                    category: category,
                    center: self.center,
                    radius: radius,
                    deadline: self.deadline
                )
                for provider in providers { group.addTask { await provider.places(search) } }
            }
            var answers: [CategoryAnswer] = []
            for await answer in group { answers.append(answer) }
            return answers
        }
    }

    private func findings(in answers: [CategoryAnswer]) -> Findings {
        var findings = Findings()
        for category in self.categories {
            let ofCategory = answers.filter { $0.source.category == category }
                .sorted { $0.source.provider < $1.source.provider }
            findings.sources += ofCategory.map(\.source)
            var known: Set<String> = []
            let places = ofCategory.flatMap(\.places).filter { !$0.name.isEmpty && known.insert($0.id).inserted }
            if !places.isEmpty { findings.places[category] = places }
        }
        findings.attribution = Set(answers.flatMap(\.attribution)).sorted()
        findings.retryAfter = answers.compactMap(\.retryAfter).min()
        return findings
    }
}
