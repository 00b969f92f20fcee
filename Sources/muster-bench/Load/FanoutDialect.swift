/// What the frames of a server look like, to somebody who loads it.
protocol FanoutDialect: AnyObject {
    /// Whether the server says what it has stored.
    var acknowledgements: Acknowledgements { get }

    /// Prepares for a run of so many fixes.
    func begin(total: Int)

    /// Writes the frame of a fix.
    func write(_ fix: LoadFix, into text: inout FrameText)

    /// Enters what a frame says.
    func read(_ frame: UnsafeRawBufferPointer, by session: Int, into ledger: inout DeliveryLedger)
}

/// Whether a server acknowledges fixes.
enum Acknowledgements {
    /// Each, once it is stored.
    case each
    /// None.
    case none
}
