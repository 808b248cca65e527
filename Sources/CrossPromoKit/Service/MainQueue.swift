import CLinux

/// The main actor's work in a program whose main thread runs a loop of another library, such as GLib's or Qt's.
///
/// Such a loop does not know Swift's main actor, so a task on it never begins. Have the loop watch ``descriptor``, and call ``run()`` on
/// the main thread whenever it is readable.
public enum MainQueue {
    /// The descriptor that becomes readable when the main actor has work; it stays the same, and must not be read or closed.
    public static var descriptor: Int32 { promo_main_queue_descriptor() }

    /// Runs the main actor's work that waits, and returns. Only the main thread may call it; another one ends the program.
    public static func run() { promo_main_queue_run() }
}
