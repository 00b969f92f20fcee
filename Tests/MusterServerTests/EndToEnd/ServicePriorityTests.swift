import EventLoop
import Foundation
import MusterTestSupport
import Testing

@Suite("A service's priority", .blocking, .enabled(if: SessionNiceness.canPrefer))
struct ServicePriorityTests {
    @Test("a server that leads its session goes before the sessions of others")
    func service() throws {
        try self.expectNiceness(-10, startedBy: #"exec "$0" $1"#)
    }

    @Test("a server that shares its session leaves it as it is")
    func shared() throws {
        // The shell remains the session leader, because it has a command left after the server.
        try self.expectNiceness(3, startedBy: #"echo 3 >/proc/self/autogroup; "$0" $1; true"#)
    }

    @Test(
        "a server without all privileges waits until it may say so, when somebody else has just done the same",
        .enabled(if: geteuid() == 0)
    )
    func unprivileged() throws {
        // By then the kernel rejects changes without CAP_SYS_ADMIN for a tenth of a second.
        let start = #"echo 1 >/proc/self/autogroup; exec setpriv --bounding-set=-sys_admin "$0" $1"#
        try self.expectNiceness(-10, startedBy: start)
    }

    /// Expects that a server's session has this niceness once it listens.
    ///
    /// `start` is the script of the session leader's shell. It starts the program `$0` with the options `$1`.
    private func expectNiceness(_ niceness: Int, startedBy start: String) throws {
        // The outer shell's child is not a process group leader, so `setsid` does not fork and becomes the inner shell.
        let script = #"""
            log=$(mktemp)
            setsid /bin/sh -c "$1" "$0" "serve --listen 127.0.0.1:0 --database-url host=/nowhere" >"$log" 2>&1 &
            leader=$!
            disown
            for try in $(seq 300); do grep -q '^{"listening"' "$log" && break; sleep 0.1; done
            cat "$log" "/proc/$leader/autogroup"
            kill -KILL -- -$leader
            rm "$log"
            """#
        let result = try Tool.run("/bin/bash", ["-c", script, MusterProcess.executable.path, start])
        #expect(result.output.hasSuffix(" nice \(niceness)\n"), "\(result.output)")
    }
}
