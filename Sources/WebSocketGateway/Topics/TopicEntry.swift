/// One thing in a topic, in two fragments, so that an update carries only the part that changed.
package struct TopicEntry: Hashable, Sendable {
    /// Names the entry within its topic.
    package let key: Int64
    /// The part that seldom changes, such as a member's profile.
    package var stable: TopicFragment
    /// The part that often changes, such as a member's position.
    package var volatile: TopicFragment

    /// Creates an entry.
    package init(key: Int64, stable: TopicFragment, volatile: TopicFragment = .none) {
        self.key = key
        self.stable = stable
        self.volatile = volatile
    }
}
