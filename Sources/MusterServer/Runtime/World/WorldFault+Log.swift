import EventLoop
import MusterCore

extension WorldFault {
    /// The log event.
    var logEvent: LogEvent {
        switch self {
        case .stalled(let subject, let number, let deadline):
            LogEvent(
                .error,
                "a deadline was not processed and is postponed by a minute",
                [("subject", subject), ("id", String(number)), ("deadline", deadline.text)]
            )
        case .suspension(let group, let aside):
            LogEvent(
                .error,
                aside.cause == .exhausted
                    ? "the evaluation of a group was suspended: it needs too many steps"
                    : "the evaluation of a group was suspended: it took too long",
                [("group", String(group.rawValue)), ("tries", String(aside.tries)), ("retry.at", aside.retryAt.text)]
            )
        case .tookUp(let group):
            LogEvent(.info, "the evaluation of a suspended group continues", [("group", String(group.rawValue))])
        }
    }
}
