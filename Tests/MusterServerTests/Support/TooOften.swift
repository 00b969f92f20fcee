import MusterWire

/// Repeats a request until it is refused because it came too often.
///
/// On a slow machine tokens are refilled between the requests, so a test cannot know the request that is refused first; it
/// knows a minimum, the burst.
///
/// - Returns: the answers in order, of which only the last may be a refusal. After `most` requests there is none.
func repeatUntilRefused<Answer>(
    most: Int,
    where isRefusal: (Answer) -> Bool,
    _ request: (Int) throws -> Answer
) rethrows -> [Answer] {
    var answers: [Answer] = []
    while answers.count < most, answers.last.map(isRefusal) != true { answers.append(try request(answers.count)) }
    return answers
}

extension Frame {
    /// Whether a request came too often.
    var isTooOften: Bool { self["code"].string == "rate_limited" }
}
