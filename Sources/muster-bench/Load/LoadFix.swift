/// One fix of a load, before it is a frame.
struct LoadFix {
    /// Its number in the run, from 0 up.
    let number: Int
    /// Who sends it.
    let session: Int
    /// Its number among the sender's.
    let sequence: Int64
    /// The sender's group.
    let group: Int
    /// Where the sender is.
    let place: FixPlace
    /// When it was meant to be sent, in milliseconds of the wall's clock; rises with each fix of a sender.
    let at: Int64
}
