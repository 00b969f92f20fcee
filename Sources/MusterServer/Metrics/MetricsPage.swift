import MusterCore
import MusterStore
import WebSocketGateway

/// What `/metrics` shows: everything that an operator would draw a graph of.
struct MetricsPage {
    let services: Services
    /// The world's statistics, which count nothing before it runs.
    var world: WorldStatistics { self.services.world.metrics }

    /// The page as an answer.
    func response() -> HTTPResponse {
        var page = PrometheusText()
        page.append(
            "muster_build_info",
            .gauge,
            "Always 1; the label is the version.",
            label: "version",
            [(MusterVersion.current, 1)]
        )
        page.append(
            "muster_ready",
            .gauge,
            "Whether the node takes clients.",
            self.services.unreadiness == nil ? 1 : 0
        )
        if let gateway = self.services.gateway { self.append(gateway.metrics, to: &page) }
        self.append(self.world, to: &page)
        if let journal = self.services.storage?.journal.metrics { self.append(journal, to: &page) }
        return .text(page.text, type: "text/plain; version=0.0.4; charset=utf-8")
    }

    private func append(_ gateway: GatewayMetrics, to page: inout PrometheusText) {
        page.append("muster_connections", .gauge, "Open WebSockets.", gateway.connections)
        page.append("muster_sockets", .gauge, "Open sockets, WebSocket or HTTP.", gateway.sockets)
        page.append("muster_frames_received_total", .counter, "Text frames received.", gateway.framesIn)
        page.append("muster_frames_sent_total", .counter, "Text frames sent.", gateway.framesOut)
        page.append("muster_sent_bytes_total", .counter, "Bytes of WebSocket frames sent.", gateway.bytesOut)
        page.append("muster_writes_total", .counter, "Writes that carried them.", gateway.writes)
        page.append("muster_http_requests_total", .counter, "HTTP requests answered.", gateway.requests)
        page.append(
            "muster_closes_total",
            .counter,
            "WebSockets closed, by close code.",
            label: "code",
            gateway.closes.sorted { $0.key < $1.key }.map { (String($0.key), $0.value) }
        )
        page.append(
            "muster_refusals_total",
            .counter,
            "Connections refused before they became WebSockets.",
            label: "reason",
            RefusalReason.allCases.map { ($0.rawValue, gateway.refusals[$0] ?? 0) }
        )
        page.append(
            "muster_gateway_mailbox_depth",
            .gauge,
            "Commands that wait for a gateway thread.",
            label: "shard",
            gateway.mailboxDepths.enumerated().map { (String($0.offset), $0.element) }
        )
    }

    private func append(_ world: WorldStatistics, to page: inout PrometheusText) {
        guard let counters = world.counters else { return }
        page.append("muster_sessions", .gauge, "Sessions that said hello.", counters.sessions)
        page.append("muster_users", .gauge, "People that the world holds.", counters.users)
        page.append("muster_groups", .gauge, "Groups that the world holds.", counters.groups)
        page.append("muster_gatherings_open", .gauge, "Gatherings that go on.", counters.openGatherings)
        page.append("muster_alerts_total", .counter, "left_without_you alerts decided.", counters.alerts)
        page.append(
            "muster_fixes_total",
            .counter,
            "Fixes judged, by verdict.",
            label: "verdict",
            FixVerdict.allCases.map { ($0.rawValue, counters.fixes[$0] ?? 0) }
        )
        page.append("muster_world_mailbox_depth", .gauge, "Inputs of the last turn.", world.mailboxDepth)
        page.append("muster_tick_seconds", "How long the world's ticks take.", world.ticks)
        page.append("muster_turn_inputs", "Inputs that the world takes in at once.", world.turns)
    }

    private func append(_ journal: JournalMetrics, to page: inout PrometheusText) {
        page.append("muster_journal_waiting", .gauge, "Records that are not committed yet.", journal.waiting)
        page.append(
            "muster_journal_lag_seconds",
            .gauge,
            "How long the oldest of them has waited.",
            journal.oldestSeconds
        )
        page.append("muster_journal_records_total", .counter, "Records committed.", journal.committed)
        page.append("muster_journal_failed_total", .counter, "Records that could not be written.", journal.failed)
        page.append("muster_journal_batches_total", .counter, "Transactions committed.", journal.batches)
        page.append("muster_journal_batch_records", .gauge, "Records in the last one.", journal.lastBatchSize)
        page.append(
            "muster_journal_commit_seconds_total",
            .counter,
            "How long all transactions took together.",
            journal.commitSecondsTotal
        )
        page.append("muster_journal_reconnects_total", .counter, "Connections made anew.", journal.reconnects)
    }
}
