/// Settings of PostgreSQL's planner for connections that do one kind of work.
enum PlannerSettings {
    /// One plan for each statement, by the indexes, made once.
    ///
    /// For writers that look rows up by key, a few in one batch and thousands in the next: that plan is right for both. Else the
    /// server makes a new plan for each batch, which is a quarter of the journal's work for a batch of twenty fixes. And
    /// compiling a plan would take longer than running it.
    static let byKey = [
        "plan_cache_mode=force_generic_plan", "enable_hashjoin=off", "enable_mergejoin=off", "enable_seqscan=off",
        "jit=off",
    ]
}
