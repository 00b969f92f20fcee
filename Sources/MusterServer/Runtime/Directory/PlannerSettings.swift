/// Settings of PostgreSQL's planner for connections with one kind of workload.
enum PlannerSettings {
    /// One generic plan for each statement, based on indexes.
    ///
    /// For writers that look rows up by key, a few in one batch and thousands in the next: this plan suits both.
    /// Otherwise the server plans each batch again, which is a quarter of the journal's work for a batch of twenty
    /// fixes. JIT compilation would take longer than the execution.
    static let byKey = [
        "plan_cache_mode=force_generic_plan", "enable_hashjoin=off", "enable_mergejoin=off", "enable_seqscan=off",
        "jit=off",
    ]
}
