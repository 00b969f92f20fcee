import MusterCore

/// The way to the atlas: what happened goes in, and what comes of it reaches shards and waiting requests.
protocol AtlasLink: TopicSource {
    /// Hands several inputs over, which are applied without a gap; leaves the array empty with its capacity.
    func send(contentsOf inputs: inout [AtlasInput])

    /// What the atlas has done so far, as of the last tick.
    var metrics: AtlasReport { get }
}

extension AtlasLink {
    /// Hands one input over.
    func send(_ input: AtlasInput) {
        var inputs = [input]
        self.send(contentsOf: &inputs)
    }
}
