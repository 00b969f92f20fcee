import EventLoop
import MusterCore
import WebSocketGateway

extension MetricsPage {
    /// The metrics of the server: a feature adds its table here.
    static func server(_ services: Services) -> MetricsPage {
        MetricsPage(tables: [
            MetricTable(Self.node) { services.node },
            MetricTable(Self.gateway) { services.node.gateway?.metrics },
            MetricTable(Self.http) {
                services.node.gateway.map { (counts: services.http.counts, ownAnswers: $0.metrics.ownAnswers) }
            },
            MetricTable(Self.blocking) { services.node.blocking.load + services.node.logins.load },
            MetricTable(Self.imaging) { services.imaging.counts },
            MetricTable(Self.signIns) { services.signIns.statistics.counts },
            MetricTable(Self.shares) { services.shares.counts },
            MetricTable(Self.ingest) { services.ingest.counts },
            MetricTable(Self.glances) { services.glances.count },
            MetricTable(Self.geocoding) { services.geocoding.times },
            MetricTable(Self.planning) { services.planning.times },
            MetricTable(Self.providers) { services.providers.statistics.counts },
            MetricTable(Self.world) { services.world.metrics.counters == nil ? nil : services.world.metrics },
            MetricTable(Self.clusters) {
                let report = services.clusters.metrics
                return report.clusters.map { (report: report, clusters: $0) }
            },
            MetricTable(Self.pins) { services.router.count(of: .pin) },
            MetricTable(Self.chat) { services.chat.metrics },
            MetricTable(Self.push) { services.push?.statistics.counts },
            MetricTable(Self.changes) { services.node.storage?.changes.counts },
            MetricTable(Self.journal) { services.node.storage?.journal.metrics },
        ])
    }

    private static let node: [Metric<ServerNode>] = [
        Metric("muster_build_info", .gauge, "Always 1; the label is the version.") { _ in
            .samples([([("version", MusterVersion.current)], 1)])
        },
        Metric("muster_ready", .gauge, "Whether the node accepts clients.") {
            .integer($0.unreadiness == nil ? 1 : 0)
        },
        Metric("muster_loop_stalled", .gauge, "Whether an event loop of the process makes no progress.") { node in
            .samples(node.loops.loops.map { ([("loop", $0.name)], $0.isStalled ? 1 : 0) })
        },
    ]

    private static let gateway: [Metric<GatewayMetrics>] = [
        Metric("muster_connections", .gauge, "Open WebSockets.") { .integer($0.connections) },
        Metric("muster_sockets", .gauge, "Open sockets, WebSocket or HTTP.") { .integer($0.sockets) },
        Metric("muster_frames_received_total", .counter, "Text frames received.") { .integer($0.framesIn) },
        Metric("muster_frames_sent_total", .counter, "Text frames sent.") { .integer($0.framesOut) },
        Metric("muster_sent_bytes_total", .counter, "Bytes of WebSocket frames sent.") { .integer($0.bytesOut) },
        Metric("muster_writes_total", .counter, "Socket writes of WebSocket frames.") { .integer($0.writes) },
        Metric("muster_closes_total", .counter, "WebSockets closed, by close code.") {
            .samples($0.closes.sorted { $0.key < $1.key }.map { ([("code", String($0.key))], $0.value) })
        },
        Metric("muster_refusals_total", .counter, "Connections refused before they became WebSockets.") { gateway in
            .samples(RefusalReason.allCases.map { ([("reason", $0.rawValue)], gateway.refusals[$0] ?? 0) })
        },
        Metric("muster_gateway_mailbox_depth", .gauge, "Commands that are queued for a gateway thread.") {
            .samples($0.mailboxDepths.enumerated().map { ([("shard", String($0.offset))], $0.element) })
        },
    ]

    private typealias HTTPCounts = (counts: HTTPStatistics.Counts, ownAnswers: [GatewayMetrics.OwnAnswer: Int])

    private static let http: [Metric<HTTPCounts>] = [
        Metric("muster_http_requests_total", .counter, "HTTP requests answered, by route, method and status.") { http in
            let routes = http.counts.answers.map {
                (route: $0.key.route, method: $0.key.method, status: $0.key.status, count: $0.value)
            }
            // Files, and requests that are refused before they reach a route.
            let own = http.ownAnswers.map {
                (route: "(gateway)", method: $0.key.method, status: $0.key.status, count: $0.value)
            }
            let all = (routes + own).sorted {
                ($0.route, $0.method.rawValue, $0.status) < ($1.route, $1.method.rawValue, $1.status)
            }
            return .samples(
                all.map {
                    ([("route", $0.route), ("method", $0.method.rawValue), ("status", String($0.status))], $0.count)
                }
            )
        },
        Metric("muster_http_request_seconds", .histogram, "Duration of HTTP requests, by route.") { http in
            .histograms(http.counts.seconds.sorted { $0.key < $1.key }.map { ([("route", $0.key)], $0.value) })
        },
    ]

    private static let blocking: [Metric<BlockingPool.Load>] = [
        Metric("muster_blocking_running", .gauge, "Blocking calls that are running.") { .integer($0.running) },
        Metric("muster_blocking_waiting", .gauge, "Blocking calls that wait for a thread.") { .integer($0.waiting) },
        Metric("muster_blocking_finished_total", .counter, "Blocking calls that have finished.") {
            .integer($0.finished)
        },
        Metric(
            "muster_blocking_refused_total",
            .counter,
            "Blocking calls that were refused because the queue was full."
        ) { .integer($0.refused) },
    ]

    private static let push: [Metric<PushStatistics.Counts>] = [
        Metric("muster_push_total", .counter, "Looks at pushes, by outcome.") {
            .samples($0.outcomes.sorted { $0.key < $1.key }.map { ([("outcome", $0.key)], $0.value) })
        },
        Metric("muster_push_pending", .gauge, "Pushes that wait to be sent.") { .integer($0.pending) },
        Metric("muster_push_delay_seconds", .histogram, "Time from when a push is due until it is accepted.") {
            .histograms([([], $0.delays)])
        },
    ]

    private static let ingest: [Metric<[IngestOutcome: Int]>] = [
        Metric("muster_ingest_total", .counter, "Reports of phones' own apps, by outcome.") { counts in
            .samples(IngestOutcome.allCases.map { ([("outcome", $0.rawValue)], counts[$0] ?? 0) })
        }
    ]

    private static let glances: [Metric<Int>] = [
        Metric("muster_glance_streams", .gauge, "Open HTTP streams of glances (server-sent events).") {
            .integer($0)
        }
    ]

    private static let geocoding: [Metric<[String: Histogram]>] = [
        Metric(
            "muster_geocode_seconds",
            .histogram,
            "Duration of place lookups, by the match of the best place: exact, fuzzy, partial, none."
        ) { times in
            .histograms(times.sorted { $0.key < $1.key }.map { ([("match", $0.key)], $0.value) })
        }
    ]

    private static let planning: [Metric<[String: Histogram]>] = [
        Metric(
            "muster_plan_seconds",
            .histogram,
            "Duration of plan suggestions, by stage: places, plan, route, store."
        ) { times in
            .histograms(times.sorted { $0.key < $1.key }.map { ([("stage", $0.key)], $0.value) })
        }
    ]

    private static let world: [Metric<WorldStatistics>] = [
        Metric("muster_sessions", .gauge, "Sessions that have sent hello.") { .integer($0.counters?.sessions ?? 0) },
        Metric("muster_users", .gauge, "Users in memory.") { .integer($0.counters?.users ?? 0) },
        Metric("muster_groups", .gauge, "Groups in memory.") { .integer($0.counters?.groups ?? 0) },
        Metric("muster_gatherings_open", .gauge, "Open gatherings.") {
            .integer($0.counters?.openGatherings ?? 0)
        },
        Metric("muster_groups_set_aside", .gauge, "Groups whose evaluation is suspended for a while.") {
            .integer($0.counters?.suspendedGroups ?? 0)
        },
        Metric("muster_group_set_asides_total", .counter, "Times that the evaluation of a group took too long.") {
            .integer($0.counters?.suspensions ?? 0)
        },
        Metric("muster_stalled_deadlines_total", .counter, "Deadlines that were not processed, each a fault in Muster.")
        {
            .integer($0.counters?.stalledDeadlines ?? 0)
        },
        Metric("muster_alerts_total", .counter, "Alerts left_without_you that were decided.") {
            .integer($0.counters?.alerts ?? 0)
        },
        Metric("muster_arrivals_total", .counter, "Arrivals at places of groups, and departures, that were decided.") {
            .integer($0.counters?.arrivals ?? 0)
        },
        Metric("muster_arrival_users", .gauge, "Loaded users who notify others of arrivals.") {
            .integer($0.counters?.tellers ?? 0)
        },
        Metric("muster_watches", .gauge, "Sessions and streams that receive glances.") {
            .integer($0.counters?.watches ?? 0)
        },
        Metric("muster_glances_total", .counter, "Glances sent.") { .integer($0.counters?.glances ?? 0) },
        Metric("muster_glances_suppressed_total", .counter, "Glances not sent because no visible value changed.") {
            .integer($0.counters?.unnoticedGlances ?? 0)
        },
        Metric("muster_events", .gauge, "Events that have not ended.") { .integer($0.counters?.events ?? 0) },
        Metric("muster_event_watches", .gauge, "Sessions that watch events.") {
            .integer($0.counters?.eventSubscriptions ?? 0)
        },
        Metric("muster_fixes_total", .counter, "Fixes evaluated, by verdict.") { world in
            .samples(FixVerdict.allCases.map { ([("verdict", $0.rawValue)], world.counters?.fixes[$0] ?? 0) })
        },
        Metric("muster_world_mailbox_depth", .gauge, "Inputs of the last iteration of the world's loop.") {
            .integer($0.mailboxDepth)
        },
        Metric("muster_tick_seconds", .histogram, "Duration of the world's ticks.") { .histogram($0.ticks) },
        Metric("muster_turn_inputs", .histogram, "Inputs per iteration of the world's loop.") {
            .histogram($0.iterations)
        },
    ]

    private static let pins: [Metric<Int>] = [
        Metric("muster_pins", .gauge, "Pins that are shown.") { .integer($0) }
    ]

    private static let chat: [Metric<ChatMetrics>] = [
        Metric("muster_chat_messages_total", .counter, "Messages, edits and deletions that were committed.") {
            .integer($0.writer.messages)
        },
        Metric("muster_chat_commit_seconds", .histogram, "Duration of chat transactions.") {
            .histogram($0.transactions)
        },
        Metric("muster_chat_queue", .gauge, "Messages, edits and deletions that wait for their commit.") {
            .integer($0.writer.queue)
        },
        Metric("muster_chat_gaps_total", .counter, "Requests of clients for room changes that they missed.") {
            .integer($0.gaps)
        },
    ]

    private static let changes: [Metric<Changes.Counts>] = [
        Metric("muster_change_feed_listening", .gauge, "Whether the server listens for changes by other processes.") {
            .integer($0.isListening ? 1 : 0)
        },
        Metric("muster_change_notices_total", .counter, "Notices of changed rows, by kind.") {
            .samples($0.notices.sorted { $0.key < $1.key }.map { ([("kind", $0.key)], $0.value) })
        },
        Metric("muster_change_comparisons_total", .counter, "Full comparisons of memory and database.") {
            .integer($0.comparisons)
        },
    ]

    private static let journal: [Metric<JournalMetrics>] = [
        Metric("muster_journal_waiting", .gauge, "Records that wait for their commit.") { .integer($0.waiting) },
        Metric("muster_journal_lag_seconds", .gauge, "Time that the oldest waiting record has waited.") {
            .number($0.oldestSeconds)
        },
        Metric("muster_journal_records_total", .counter, "Records committed.") { .integer($0.committed) },
        Metric("muster_journal_failed_total", .counter, "Records that could not be written.") { .integer($0.failed) },
        Metric("muster_journal_batches_total", .counter, "Transactions committed.") { .integer($0.batches) },
        Metric("muster_journal_batch_records", .gauge, "Records in the last batch.") { .integer($0.lastBatchSize) },
        Metric("muster_journal_commit_seconds_total", .counter, "Total time of all journal transactions.") {
            .number($0.commitSecondsTotal)
        },
        Metric("muster_journal_reconnects_total", .counter, "Reconnections of the journal.") {
            .integer($0.reconnects)
        },
    ]
}
