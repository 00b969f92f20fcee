import Testing

/// The bench kinds that compare users who move in company with users who move alone.
@Suite(.serialized)
struct AudienceBenchTests {
    @Test("watches are sent glances while full clients are sent every move, and both are set against the phones alone")
    func watches() async throws {
        let figures = try await BenchProcess.figures([
            "watches", "--sessions", "40", "--each", "2", "--seconds", "10", "--warm-up", "3", "--rate", "80", "--runs",
            "1",
        ])
        #expect(try #require(figures["phones_percent"]) > 0)
        #expect(try #require(figures["full_frames"]) > 1)
        // At most one every ten seconds.
        #expect((0.1...20).contains(try #require(figures["glances"])))
        #expect((200...2_048).contains(try #require(figures["glance_bytes"])))
        #expect(figures["ratio"] != nil)
    }

    @Test("maps lets people move while spots are loaded and tiles are read, and beside that without")
    func maps() async throws {
        let figures = try await BenchProcess.figures([
            "maps", "--sessions", "20", "--rate", "100", "--points", "20000", "--seconds", "3", "--runs", "1",
        ])
        for key in ["alone_p99_ms", "beside_p99_ms", "ratio", "load_seconds", "tile_p99_ms"] {
            #expect(try #require(figures[key]) > 0, "\(key)")
        }
        #expect(figures["tiles_read"] == 1000)
    }

    @Test("geocoding lets people move while others look for places, and beside that alone")
    func geocoding() async throws {
        let figures = try await BenchProcess.figures([
            "geocoding", "--sessions", "20", "--rate", "100", "--lookups", "40", "--seconds", "2", "--warm-up", "0.5",
            "--places", "/usr/share/libtimezonemap/ui/cities15000.txt", "--runs", "1",
        ])
        for key in ["alone_p99_ms", "beside_p99_ms", "ratio", "lookup_p50_ms"] {
            #expect(try #require(figures[key]) > 0, "\(key)")
        }
        #expect(figures["lookups"] == 100)
    }

    @Test("events tells each watch of every change, of those that hosts ask for and of those that others write")
    func events() async throws {
        let figures = try await BenchProcess.figures([
            "events", "--sessions", "40", "--each", "2", "--rate", "30", "--seconds", "1", "--warm-up", "0.5",
            "--runs", "1",
        ])
        for way in ["requests", "feed"] {
            // Each event has two subscribers; a second change before a push is conflated with the first.
            #expect((1.5...2).contains(try #require(figures["\(way)_told"])))
            #expect(try #require(figures["\(way)_percent"]) > 0)
            #expect(try #require(figures["\(way)_p99_ms"]) >= #require(figures["\(way)_p50_ms"]))
        }
    }

    @Test("chat delivers each message once to each of the others, and asks for all rooms of who comes back at once")
    func chat() async throws {
        let figures = try await BenchProcess.figures([
            "chat", "--sessions", "6", "--group", "4", "--rate", "10", "--seconds", "0.5", "--warm-up", "0.2",
            "--runs", "1", "--staleness", "10000", "--beside", BenchProcess.relay(),
        ])
        #expect(try #require(figures["sent_per_second"]) > 0)
        #expect(try #require(figures["deliveries_per_second"]) > 0)
        // Relative to all messages sent, not a rate: in half a second some messages arrive that were sent before it.
        #expect(figures["deliveries_per_message"] == 3)
        #expect(try #require(figures["relay_ratio"]) > 0)
        #expect(try #require(figures["tenth_p99_ratio"]) >= #require(figures["tenth_p50_ratio"]))
        #expect(try #require(figures["insert_p50_ms"]) > 0)
        // One query for the rooms, one for their last messages, one for missed messages, and one for event rooms. A few
        // users who receive more data make it a fraction.
        #expect((1..<5).contains(try #require(figures["return_room_statements"])))
        #expect(try #require(figures["hot_ratio"]) > 0)
    }
}
