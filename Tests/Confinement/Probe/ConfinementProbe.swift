import ConfinementAttempts
import Glibc
import Imaging

/// `ConfinementProbe confined|free|unfiltered ATTEMPT` tries something that no child should be able to do.
///
/// It is confined as children are, or not, and ends with the number of the error, or with 0 when it could be done. Unfiltered,
/// it begins as on a system without filters of system calls. It ends with 254 when it cannot be confined.
///
/// It is a program of its own because a process is confined for good, and because only a fresh one has few addresses in use.
@main
enum ConfinementProbe {
    static func main() {
        let words = CommandLine.arguments
        guard words.count == 3 else { exit(255) }
        confinement_prepare()
        if words[1] == "unfiltered", !confinement_refuse_filters() { exit(253) }
        if words[1] != "free" {
            do throws(Confinement.Failure) { try Confinement.begin() } catch { exit(254) }
        }
        exit(confinement_attempt(words[2]))
    }
}
