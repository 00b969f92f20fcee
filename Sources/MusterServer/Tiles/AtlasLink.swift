import MusterCore

/// The link to the atlas.
///
/// The results of inputs reach shards and waiting requests.
protocol AtlasLink: TopicSource {
    /// Sends several inputs, which are applied without a gap; leaves the array empty with its capacity.
    func send(contentsOf inputs: inout [AtlasInput])

    /// The atlas's statistics, as of the last tick.
    var metrics: AtlasReport { get }
}

extension AtlasLink {
    /// Sends one input.
    func send(_ input: AtlasInput) {
        var inputs = [input]
        self.send(contentsOf: &inputs)
    }
}
