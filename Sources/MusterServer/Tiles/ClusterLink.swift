import MusterCore

/// The link to the cluster service.
///
/// The results of inputs reach shards and waiting requests.
protocol ClusterLink: TopicSource {
    /// Sends several inputs, which are applied without a gap; leaves the array empty with its capacity.
    func send(contentsOf inputs: inout [ClusterInput])

    /// The cluster service's statistics, as of the last tick.
    var metrics: ClusterReport { get }
}

extension ClusterLink {
    /// Sends one input.
    func send(_ input: ClusterInput) {
        var inputs = [input]
        self.send(contentsOf: &inputs)
    }
}
