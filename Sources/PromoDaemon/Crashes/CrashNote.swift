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
        // In ASCII, because the note may cut it anywhere, and must be text in every locale.
        let text = message.utf8.map { CChar(0x20...0x7E ~= $0 ? $0 : UInt8(ascii: "?")) }
        // The note copies as many bytes as the array has before it returns.
        unsafe promod_note_message(text, text.count)
    }
}
