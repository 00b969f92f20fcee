import OutboundHTTP

extension MetricsPage {
    /// The metrics of requests to external servers.
    ///
    /// `muster_provider_cache_total` counts lookups since the start, so its name ends like those of counters.
    static let providers: [Metric<ProviderStatistics.Counts>] = [
        Metric("muster_outbound_total", .counter, "Requests to other servers, by result.") { counts in
            .samples(
                OutboundOutcome.all.map {
                    ([("handle", "operator"), ("outcome", $0.label)], counts.requests[$0] ?? 0)
                }
            )
        },
        Metric(
            "muster_outbound_seconds",
            .histogram,
            "Duration of requests to other servers, including the wait in the queue."
        ) {
            .histograms([([("handle", "operator")], $0.requestSeconds)])
        },
        Metric(
            "muster_provider_seconds",
            .histogram,
            "Duration of provider requests, by result: ok, timeout, failed, open."
        ) { counts in
            .histograms(
                counts.questions.sorted { ($0.key.provider, $0.key.outcome) < ($1.key.provider, $1.key.outcome) }
                    .map { ([("provider", $0.key.provider), ("outcome", $0.key.outcome)], $0.value) }
            )
        },
        Metric(
            "muster_provider_circuit",
            .gauge,
            "Whether requests to a provider's host are paused after repeated failures."
        ) {
            .samples($0.circuits.sorted { $0.key < $1.key }.map { ([("host", $0.key)], $0.value ? 1 : 0) })
        },
        Metric(
            "muster_provider_cache_total",
            .counter,
            "Lookups in the cache of provider answers: fresh, stale after a failure, missing."
        ) { counts in
            .samples(
                ProviderStatistics.Lookup.allCases.map { ([("state", $0.rawValue)], counts.lookups[$0] ?? 0) }
            )
        },
    ]
}
