import EventLoop
import Foundation
import MusterTestSupport
import Testing

@Suite("A service's priority", .blocking)
struct ServicePriorityTests {
    @Test(
        "a server that leads its session goes before the sessions of others",
        .enabled(if: SessionNiceness.canPrefer)
    )
    func service() throws {
        // The shell's child leads no process group, so that setsid turns into the server.
        let result = try Tool.run(
            "/bin/sh",
            [
                "-c",
                """
                setsid "$0" serve --listen 127.0.0.1:0 --database-url 'host=/nowhere' >/dev/null 2>&1 & server=$!
                for try in $(seq 300); do grep -q 'nice -10' /proc/$server/autogroup && break; sleep 0.1; done
                cat /proc/$server/autogroup
                kill -KILL $server
                """, MusterProcess.executable.path,
            ]
        )
        #expect(result.output.hasSuffix(" nice -10\n"), "\(result.output)")
    }
}
