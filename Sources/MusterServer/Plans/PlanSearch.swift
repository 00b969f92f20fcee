import MusterCore

/// Queries sources for the places of categories concurrently.
///
/// Categories without any place are queried once more with a larger radius.
struct PlanSearch: Sendable {
    /// The results of all sources.
    struct Findings: Sendable {
        /// The places of each category; a category without places is absent.
        var places: [PlaceCategory: [ProvidedPlace]] = [:]
        /// The report of each source for each category, in the order of the categories.
        var sources: [SourceReport] = []
        /// The attributions to show.
        var attribution: [String] = []
        /// Milliseconds until the next attempt makes sense, if a source failed and states it.
        var retryAfter: Int64?

        /// Whether a source failed.
        var hasFailures: Bool { self.sources.contains { $0.state.isFailure } }
    }

    /// The categories, each once.
    let categories: [PlaceCategory]
    let center: Coordinate
    /// Metres.
    let radius: Double
    /// The latest time of a useful answer, in milliseconds of the process's monotonic clock.
    let deadline: Int64

    /// Queries all sources; ends by the deadline, as they do.
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
