import OutboundHTTP

extension MetricsPage {
    /// The metrics of requests to external servers.
    ///
    /// `muster_provider_cache_total` counts lookups since the start, so its name ends like those of counters.
    static let providers: [Metric<ProviderStatistics.Counts>] = [
        Metric("muster_outbound_total", .counter, "Requests to servers elsewhere, by how they ended.") { counts in
            .samples(
                OutboundOutcome.all.map {
                    ([("handle", "operator"), ("outcome", $0.label)], counts.requests[$0] ?? 0)
                }
            )
        },
        Metric("muster_outbound_seconds", .histogram, "How long they took, the wait for their turn included.") {
            .histograms([([("handle", "operator")], $0.requestSeconds)])
        },
        Metric(
            "muster_provider_seconds",
            .histogram,
            "How long providers were asked, and their answers read, by what came of it: ok, timeout, failed, open."
        ) { counts in
            .histograms(
                counts.questions.sorted { ($0.key.provider, $0.key.outcome) < ($1.key.provider, $1.key.outcome) }
                    .map { ([("provider", $0.key.provider), ("outcome", $0.key.outcome)], $0.value) }
            )
        },
        Metric("muster_provider_circuit", .gauge, "Whether a provider's host failed so often that it is left alone.") {
            .samples($0.circuits.sorted { $0.key < $1.key }.map { ([("host", $0.key)], $0.value ? 1 : 0) })
        },
        Metric(
            "muster_provider_cache_total",
            .counter,
            "Look-ups among the answers of providers that are kept: fresh, stale after a failure, missing."
        ) { counts in
            .samples(
                ProviderStatistics.Lookup.allCases.map { ([("state", $0.rawValue)], counts.lookups[$0] ?? 0) }
            )
        },
    ]
}
