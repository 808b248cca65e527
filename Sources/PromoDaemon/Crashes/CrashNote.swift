import CCrashNote
import PromoWire

/// A note of a crash that promod writes itself, because Swift's backtracer does not print a trace of every crash.
enum CrashNote {
    /// Makes a crash from now on write a note, before Swift's backtracer runs.
    /// - Parameter toJournal: whether it becomes a record in the journal; else it goes to standard error.
    static func begin(toJournal: Bool) {
        // The id is copied, and nil means standard error.
        unsafe promod_note_crashes(toJournal ? JournalEvent.crashed.messageID : nil)
    }

    /// Keeps a message of the log for the note, which shows the last one.
    static func keep(_ message: String) {
        var message = message
        // The note copies the text before it returns, and a CChar has the layout of a byte.
        message.withUTF8 { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self) { unsafe promod_note_message($0.baseAddress, $0.count) }
        }
    }
}
