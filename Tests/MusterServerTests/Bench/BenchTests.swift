import Testing

/// The bench measures what it documents and cleans up.
///
/// Its results are not tested.
@Suite(.serialized)
struct BenchTests {
    @Test("fanout delivers each fix to the others of its group and finds all of them committed")
    func fanout() async throws {
        let figures = try await BenchProcess.figures([
            "fanout", "--sessions", "12", "--group", "4", "--rate", "120", "--seconds", "1", "--warm-up", "0.5",
            "--runs", "1",
        ])
        let fixes = try #require(figures["fixes_per_second"])
        let positions = try #require(figures["positions_per_second"])
        let conflation = try #require(figures["conflation"])
        #expect((100...140).contains(fixes))
        // Each fix is sent to three others; conflated positions are sent with the next one.
        #expect((0.9...1.1).contains(positions * conflation / fixes / 3))
        #expect(try #require(figures["staleness_p50_ms"]) > 0)
        #expect(try #require(figures["commit_lag_p99_ms"]) >= #require(figures["commit_lag_p50_ms"]))
        #expect(try #require(figures["server_us_per_fix"]) > 0)
    }

    @Test("fanout measures a relay beside Muster, with the same load, and gives the ratios")
    func beside() async throws {
        let figures = try await BenchProcess.figures([
            "fanout", "--sessions", "12", "--group", "4", "--rate", "120", "--seconds", "1", "--warm-up", "0.5",
            "--runs", "2", "--beside", BenchProcess.relay(),
        ])
        #expect((100...140).contains(try #require(figures["relay_messages_per_second"])))
        #expect((300...420).contains(try #require(figures["relay_deliveries_per_second"])))
        #expect(try #require(figures["relay_staleness_p99_ms"]) >= #require(figures["relay_staleness_p50_ms"]))
        #expect(try #require(figures["cpu_ratio"]) > 0)
        #expect(figures["sustained_ratio"] == nil)
    }

    @Test("fanout does not count a relay that says things twice")
    func repeats() async throws {
        let (status, output, _) = try await BenchProcess.run([
            "fanout", "--sessions", "4", "--group", "4", "--rate", "40", "--seconds", "0.5", "--warm-up", "0",
            "--runs", "1", "--beside", BenchProcess.relay("--repeat"),
        ])
        #expect(status == 1)
        #expect(output.contains("relay: 60 frames were misread"))
    }

    @Test("idle tells what a session takes")
    func idle() async throws {
        let figures = try await BenchProcess.figures(["idle", "--sessions", "20", "--seconds", "1", "--runs", "1"])
        #expect(try #require(figures["connects_per_second"]) > 0)
        #expect(try #require(figures["server_resident_mb"]) > 1)
    }

    @Test("storm brings everybody back with their rosters")
    func storm() async throws {
        let figures = try await BenchProcess.figures(["storm", "--sessions", "20", "--runs", "2"])
        #expect(try #require(figures["back_last_ms"]) >= #require(figures["back_p50_ms"]))
        #expect(try #require(figures["retries"]) == 0)
    }

    @Test("journal finds every fix in the table")
    func journal() async throws {
        let figures = try await BenchProcess.figures(["journal", "--sessions", "20", "--seconds", "0.3", "--runs", "1"])
        #expect(try #require(figures["journal_per_second"]) > 1000)
        #expect(try #require(figures["plain_copy_per_second"]) > 1000)
    }

    @Test("tick takes the world through its turns, and each group of one who moved has a new roster")
    func tick() async throws {
        let figures = try await BenchProcess.figures([
            "tick", "--sessions", "200", "--moved", "5", "--seconds", "20", "--warm-up", "5", "--runs", "1",
        ])
        #expect(try #require(figures["tick_p50_ms"]) > 0)
        #expect(try #require(figures["tick_p99_ms"]) >= #require(figures["tick_p50_ms"]))
        #expect(try #require(figures["moved"]) == 10)
        // Ten random members of two hundred are nearly always in five to ten of twenty groups.
        #expect((5...10).contains(try #require(figures["changes"])))
        #expect(try #require(figures["encoded_bytes"]) > 500)
    }

    @Test("spots pushes each new spot to those nearby, whom the index finds as a scan does")
    func spots() async throws {
        let figures = try await BenchProcess.figures([
            "spots", "--sessions", "1000", "--rate", "200", "--spots", "50", "--seconds", "2", "--runs", "1",
        ])
        #expect(try #require(figures["told"]) > 10)
        #expect(try #require(figures["frame_bytes"]) > 200)
        #expect(try #require(figures["wrong"]) == 0)
        #expect(try #require(figures["push_p99_ms"]) >= #require(figures["push_p50_ms"]))
        #expect(try #require(figures["spots_percent"]) > 0)
    }

    @Test("tiles loads points, reads tiles and keeps those that are watched up to date")
    func tiles() async throws {
        let figures = try await BenchProcess.figures(["tiles", "--points", "20000", "--runs", "1"])
        for key in ["load_ms", "move_ns", "tick_ms", "read_z4", "read_all", "read_again", "tile_bytes", "watched"] {
            #expect(try #require(figures[key]) > 0, "\(key)")
        }
        // A twentieth of the points moves, and most subscribed tiles are at zooms where few features change.
        #expect(try #require(figures["changed_tiles"]) < #require(figures["watched"]))
        #expect(try #require(figures["sent"]) <= 2 * #require(figures["changed_whole"]))
        #expect((20...200).contains(try #require(figures["point_bytes"])))
    }

    @Test("tiles are compared with another index over the same points")
    func tilesBesideAnother() async throws {
        let figures = try await BenchProcess.figures([
            "tiles", "--points", "2000", "--runs", "1", "--beside", BenchProcess.clusterIndex,
        ])
        #expect(figures["beside_load_ms"] == 2000)
        #expect(figures["beside_rebuild_ms"] == 1000)
        #expect(figures["beside_read_z4"] == 100)
        for (ratio, slow, quick) in [
            ("load_ratio", "beside_load_ms", "load_ms"), ("tick_ratio", "beside_rebuild_ms", "tick_ms"),
            ("read_all_ratio", "beside_read_all_ms", "read_all_ms"),
        ] {
            let expected = try #require(figures[slow]) / #require(figures[quick])
            #expect(abs(try #require(figures[ratio]) / expected - 1) < 1e-4, "\(ratio)")
        }
    }

    @Test(
        "another index that fails, or says something else, is an error that says so",
        arguments: [("exit 3", "failed"), ("cat", "JSON"), (#"echo '{"load_ms":1}'"#, "rebuild_ms")]
    )
    func wrongIndex(command: String, reason: String) async throws {
        let (status, _, log) = try await BenchProcess.run([
            "tiles", "--points", "1000", "--runs", "1", "--beside", command,
        ])
        #expect(status != 0)
        #expect(log.contains(reason), "\(log)")
    }

    @Test("gatherings decides about everybody and asks PostGIS the same")
    func gatherings() async throws {
        let figures = try await BenchProcess.figures(["gatherings", "--sessions", "1000", "--runs", "1"])
        #expect(try #require(figures["gathered"]) > 50)
        // Six sit together in each of the hundred groups; a member may stray from the others.
        #expect(try #require(figures["postgis_clusters"]) >= 100)
        #expect(try #require(figures["ns_per_member"]) > 0)
        #expect(try #require(figures["taken_in_ns"]) > 0)
        #expect(try #require(figures["ratio"]) > #require(figures["ratio_with_arrivals"]))
    }

    @Test(
        "wrong usage is told before anything is started",
        arguments: [
            (["nothing"], "unknown kind"), ([], "KIND is required"),
            (["fanout", "--sessions", "11", "--group", "10"], "multiple of --group"),
            (["journal", "--rate", "5"], "--rate is not an option of journal"),
            (["fanout", "--beside", "relay"], "--beside must contain {port}"),
            (
                ["fanout", "--beside", "relay {port}", "--beside-message", "x"],
                "--beside-message must contain {number}"
            ),
        ]
    )
    func usage(arguments: [String], complaint: String) async throws {
        let (status, output, log) = try await BenchProcess.run(arguments)
        #expect(status == 2)
        #expect(output == "")
        #expect(log.contains(complaint))
    }
}
