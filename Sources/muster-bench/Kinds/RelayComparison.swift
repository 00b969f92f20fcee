/// A comparison of a run with a plain relay under the same load.
struct RelayComparison {
    /// Muster's run.
    let ours: FanoutRun
    /// The relay's run.
    let theirs: FanoutRun
    /// Whether both runs were at the highest sustained rate.
    let isSustain: Bool

    /// The relay's figures, and the ratios.
    var figures: [BenchFigure] {
        let relay = self.theirs
        let seconds = Double(relay.usage.nanoseconds) / 1e9
        var figures = [
            BenchFigure("relay_messages_per_second", "relay: messages in", relay.fixesPerSecond, "/s"),
            BenchFigure("relay_deliveries_per_second", "relay: deliveries", Double(relay.positions) / seconds, "/s"),
            BenchFigure(
                "relay_staleness_p50_ms",
                "relay: staleness p50",
                relay.tally.staleness.milliseconds(0.5),
                "ms"
            ),
            BenchFigure(
                "relay_staleness_p99_ms",
                "relay: staleness p99",
                relay.tally.staleness.milliseconds(0.99),
                "ms"
            ),
            BenchFigure("relay_us_per_delivery", "relay: CPU per delivery", relay.processorPerPosition, "µs"),
            BenchFigure(
                "relay_cores",
                "relay: CPU",
                Double(relay.usage.server) / Double(relay.usage.nanoseconds),
                "cores"
            ),
            BenchFigure("relay_load_cores", "relay: load CPU", relay.loadCores, "cores"),
        ]
        if self.isSustain {
            figures.append(
                BenchFigure(
                    "sustained_ratio",
                    "sustained fixes relative to the relay's messages",
                    self.ours.fixesPerSecond / relay.fixesPerSecond,
                    "×"
                )
            )
        }
        figures.append(
            BenchFigure(
                "cpu_ratio",
                "CPU per position relative to the relay's per delivery",
                self.ours.processorPerPosition / relay.processorPerPosition,
                "×"
            )
        )
        return figures
    }
}
