import EventLoop
import Foundation
import MusterTestSupport
import Testing

@Suite("A service's priority", .blocking)
struct ServicePriorityTests {
    @Test("a server that leads its session goes before the sessions of others", .enabled(if: SessionNiceness.canPrefer))
    func service() throws {
        try self.expectPreference(startedBy: #"exec "$0""#)
    }

    @Test(
        "a server without all privileges waits until it may say so, when somebody else has just done the same",
        .enabled(if: SessionNiceness.canPrefer && geteuid() == 0)
    )
    func unprivileged() throws {
        // By then the kernel listens to nobody without CAP_SYS_ADMIN for a tenth of a second.
        let start = #"echo 1 >/proc/self/autogroup; exec setpriv --bounding-set=-sys_admin "$0""#
        try self.expectPreference(startedBy: start)
    }

    private func expectPreference(startedBy start: String) throws {
        // The shell's child leads no process group, so that setsid turns into the server.
        let result = try Tool.run(
            "/bin/sh",
            [
                "-c",
                """
                setsid /bin/sh -c '\(start) serve --listen 127.0.0.1:0 --database-url host=/nowhere' "$0" \
                    >/dev/null 2>&1 & server=$!
                for try in $(seq 300); do grep -q 'nice -10' /proc/$server/autogroup && break; sleep 0.1; done
                cat /proc/$server/autogroup
                kill -KILL $server
                """, MusterProcess.executable.path,
            ]
        )
        #expect(result.output.hasSuffix(" nice -10\n"), "\(result.output)")
    }
}
