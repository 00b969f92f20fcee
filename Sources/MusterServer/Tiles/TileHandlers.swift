import MusterCore
import MusterWire

extension RequestTable {
    /// The requests about map tiles, which the world forwards to the cluster service.
    static func tiles() -> [Entry] {
        [
            .immediate(TilesWatch.self) { request, caller in
                .asking(.subscribe(request.cover), of: request.layer, caller)
            },
            .immediate(TilesUnwatch.self) { request, caller in .asking(.unsubscribe, of: request.layer, caller) },
            .immediate(TilesCluster.self) { request, caller in
                .asking(.cluster(request.cluster), of: request.layer, caller)
            },
        ]
    }
}

extension RequestOutcome {
    /// A request that the cluster service answers, if the world permits it.
    fileprivate static func asking(_ question: ClusterQuestion, of layer: LayerName, _ caller: Caller) -> Self {
        guard let session = caller.session else { return .world([]) }
        let request = ClusterRequest(
            asker: .session(session, caller.tag),
            user: caller.user,
            layer: layer.layer,
            question: question
        )
        return .world([.tilesAsked(request)])
    }
}
