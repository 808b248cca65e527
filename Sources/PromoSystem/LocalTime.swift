import CLinux
import Glibc
package import PromoWire

/// Formats times for people, in the machine's time zone.
package enum LocalTime {
    /// `21 Nov 01:09:33`, for a log.
    package static func text(seconds: Int) -> String {
        format(seconds, "%d %b %H:%M:%S")
    }

    /// `21 Nov 01:09`, for a status line.
    package static func short(_ time: Timestamp) -> String { text(time, "%d %b %H:%M") }

    /// A time by a pattern for strftime(3).
    package static func text(_ time: Timestamp, _ pattern: String) -> String {
        format(Int(time.milliseconds / 1000), pattern)
    }

    /// `21 Nov 01:09`, or `21 Nov 2036 01:09` if the year is not the current one.
    package static func short(_ time: Timestamp, now: Timestamp) -> String {
        let seconds = Int(time.milliseconds / 1000)
        let isThisYear = format(seconds, "%Y") == format(Int(now.milliseconds / 1000), "%Y")
        return format(seconds, isThisYear ? "%d %b %H:%M" : "%d %b %Y %H:%M")
    }

    private static func format(_ seconds: Int, _ pattern: String) -> String {
        // Both calls are done with their arguments when they return, and strftime knows the size of the buffer.
        var seconds = seconds
        var parts = unsafe tm()
        unsafe localtime_r(&seconds, &parts)
        var buffer = [CChar](repeating: 0, count: 64)
        let count = unsafe strftime(&buffer, buffer.count, pattern, &parts)
        return String(decoding: buffer[..<count].lazy.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

extension Timestamp {
    /// The time of the wall clock.
    package static var now: Timestamp { Timestamp(milliseconds: promod_milliseconds(CLOCK_REALTIME)) }
}
