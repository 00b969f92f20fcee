import EventLoop
import MusterCore

extension WorldTrouble {
    /// The log event.
    var logEvent: LogEvent {
        switch self {
        case .stalled(let subject, let number, let deadline):
            LogEvent(
                .error,
                "a deadline did not pass and was put off by a minute",
                [("subject", subject), ("id", String(number)), ("deadline", deadline.text)]
            )
        case .setAside(let group, let aside):
            LogEvent(
                .error,
                aside.cause == .exhausted
                    ? "a group was set aside: deciding about it takes too many steps"
                    : "a group was set aside: deciding about it took too long",
                [("group", String(group.rawValue)), ("tries", String(aside.tries)), ("retry.at", aside.retryAt.text)]
            )
        case .tookUp(let group):
            LogEvent(.info, "a group that was set aside is decided about again", [("group", String(group.rawValue))])
        }
    }
}
