import Foundation
import MusterTestSupport
import Testing

@testable import Imaging

@Suite("What a child may do", .blocking)
struct ConfinementTests {
    private static let probe = MusterProcess.executable.deletingLastPathComponent().appending(path: "ConfinementProbe")
        .path

    /// Runs an attempt in its own process.
    ///
    /// - Returns: the error number, 0 if the attempt succeeded, or the signal that ended the process.
    private func attempt(_ name: String, isConfined: Bool) throws -> Int32 {
        try self.attempt(name, isConfined ? "confined" : "free")
    }

    private func attempt(_ name: String, _ confinement: String) throws -> Int32 {
        try Tool.run(Self.probe, [confinement, name]).status
    }

    @Test(
        "a child reaches no file, program, process or network, and has a gibibyte; who is not confined fares otherwise",
        arguments: [
            ("read a file", EACCES), ("read a file on an older thread", EACCES), ("make a file", EACCES),
            ("find a file", EACCES), ("watch files", EACCES), ("make a file of memory", EACCES),
            ("make a pipe", EACCES),
            ("become dumpable", EACCES), ("change the user", EACCES),
            ("remove a file", EACCES), ("let a file grow", EFBIG),
            ("have many descriptors", EMFILE), ("open a socket", EACCES), ("connect", EACCES),
            ("start a program", EACCES), ("start a process", EACCES), ("start a process by the older call", EACCES),
            ("signal the parent", EACCES), ("signal a thread of the parent", EACCES),
            ("read the parent's memory", EACCES), ("raise a limit", EACCES), ("allocate all", ENOMEM),
            ("allocate bit by bit", ENOMEM),
        ]
    )
    func refused(name: String, error: Int32) throws {
        #expect(try self.attempt(name, isConfined: false) != error)
        #expect(try self.attempt(name, isConfined: true) == error)
    }

    @Test(
        "a child has what decoding takes",
        arguments: ["allocate half", "start a thread", "read a limit", "name itself"]
    )
    func allowed(name: String) throws { #expect(try self.attempt(name, isConfined: true) == 0) }

    @Test(
        "a child that gives up or calls the system another way is ended",
        arguments: [("end itself", SIGABRT), ("call by another width", SIGSYS)]
    )
    func ended(name: String, signal: Int32) throws { #expect(try self.attempt(name, isConfined: true) == signal) }

    @Test("a child that cannot be confined does not start")
    func unfiltered() throws {
        #expect(try self.attempt("read a limit", "unfiltered") == 254)
        // The message names the cause and the remedy.
        #expect("\(Confinement.Failure.filter(errno: ENOSYS))".contains("seccomp"))
    }
}
