/// The frame formats of a server under load.
protocol FanoutDialect: AnyObject {
    /// Whether the server acknowledges fixes.
    var acknowledgements: Acknowledgements { get }

    /// Prepares for a run with the given number of fixes.
    func begin(total: Int)

    /// Writes the frame of a fix.
    func write(_ fix: LoadFix, into text: inout FrameText)

    /// Records the contents of a received frame.
    func read(_ frame: UnsafeRawBufferPointer, by session: Int, into stats: inout DeliveryStats)
}

/// Whether a server acknowledges fixes.
enum Acknowledgements {
    /// Every fix, once it is stored.
    case each
    /// No fixes.
    case none
}
