import ConfinementAttempts
import Glibc
import Imaging

/// `ConfinementProbe confined|free ATTEMPT` tries something that no child should be able to do, confined as children are, or
/// not, and ends with the number of the error, or with 0 when it could be done.
///
/// It is a program of its own because a process is confined for good, and because only a fresh one has few addresses in use.
@main
enum ConfinementProbe {
    static func main() {
        let words = CommandLine.arguments
        guard words.count == 3 else { exit(255) }
        confinement_prepare()
        if words[1] == "confined", !Confinement.begin() { exit(254) }
        exit(confinement_attempt(words[2]))
    }
}
