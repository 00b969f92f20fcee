import ImagingWire

extension MetricsPage {
    /// The metrics of the children that decode pictures.
    static let imaging: [Metric<[ImagingOperation: ImagingPool.Counts]>] = [
        Metric("muster_imaging_seconds", .histogram, "Time that imaging processes needed for a picture, by operation.")
        { counts in
            .histograms(
                ImagingOperation.allCases.map {
                    ([("operation", $0.rawValue)], counts[$0]?.seconds ?? .seconds)
                }
            )
        },
        Metric("muster_imaging_queue", .gauge, "Pictures that wait for an imaging process, by operation.") { counts in
            .samples(
                ImagingOperation.allCases.map { ([("operation", $0.rawValue)], counts[$0]?.waiting ?? 0) }
            )
        },
        Metric("muster_imaging_refused_total", .counter, "Pictures that were refused, by operation and reason.") {
            counts in
            .samples(
                ImagingOperation.allCases.flatMap { operation in
                    ImagingFailure.all.map { failure in
                        (
                            [("operation", operation.rawValue), ("reason", failure.reason)],
                            counts[operation]?.failures[failure] ?? 0
                        )
                    }
                }
            )
        },
    ]
}
