extension Fix.Trigger {
    /// The meaning of the reason and the mode that OwnTracks sends.
    ///
    /// - Parameters:
    ///   - reason: `t`: p ping, u by the user, r in answer to a request, and others; nil without one.
    ///   - mode: `m`: 1 for significant changes, 2 for continuous reports; nil without one.
    package init(ownTracksReason reason: String?, mode: Int64?) {
        switch reason {
        case "p": self = .ping
        case "u": self = .manual
        case "r": self = .answer
        case .some, nil: self = mode == 1 ? .significant : .move
        }
    }
}
