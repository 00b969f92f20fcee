import MusterCore
import MusterWire

extension RequestTable {
    /// The requests about map tiles, which the world forwards to the atlas.
    static func tiles() -> [Entry] {
        [
            .immediate(TilesWatch.self) { request, caller in
                .asking(.watch(request.cover), of: request.layer, caller)
            },
            .immediate(TilesUnwatch.self) { request, caller in .asking(.unwatch, of: request.layer, caller) },
            .immediate(TilesCluster.self) { request, caller in
                .asking(.cluster(request.cluster), of: request.layer, caller)
            },
        ]
    }
}

extension RequestOutcome {
    /// A request that the atlas answers, if the world permits it.
    fileprivate static func asking(_ question: AtlasQuestion, of layer: LayerName, _ caller: Caller) -> Self {
        guard let session = caller.session else { return .world([]) }
        let request = AtlasRequest(
            asker: .session(session, caller.tag),
            user: caller.user,
            layer: layer.layer,
            question: question
        )
        return .world([.tilesAsked(request)])
    }
}
