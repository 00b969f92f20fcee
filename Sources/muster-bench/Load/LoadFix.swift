/// One fix of a load, before encoding.
struct LoadFix {
    /// The number in the run, from 0.
    let number: Int
    /// The sender.
    let session: Int
    /// The sender's sequence number.
    let sequence: Int64
    /// The sender's group.
    let group: Int
    /// The sender's position.
    let place: FixPlace
    /// The due time in milliseconds of the wall clock; rises with each fix of a sender.
    let at: Int64
}
