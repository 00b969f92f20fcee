import ConfinementAttempts
import Glibc
import Imaging

/// `ConfinementProbe confined|free|unfiltered ATTEMPT` runs an action that no child should be able to do.
///
/// `confined` confines the process as children are, and `free` does not. `unfiltered` simulates a system without system
/// call filters. The exit status is the error number, 0 if the action succeeded, or 254 if the process cannot be
/// confined.
///
/// It is a separate program because confinement is permanent, and because only a fresh process uses few addresses.
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
