import Instants

/// A calendar as RFC 5545 writes it: single events in UTC, without rules and zones, which programs read each in its way.
struct ICalendar: Sendable {
    struct Event: Sendable {
        /// The same for this event for ever.
        var uid: String
        /// Raised with each change: some programs drop a change without it.
        var sequence: Int64
        var changedAt: Timestamp
        var at: Timestamp
        var summary: String
        var description: String
        var category: String
        /// What the program says when it reminds; `nil`: it does not.
        var alarm: String?
    }

    var name: String
    /// Where the events are shown.
    var link: String
    var events: [Event]

    /// The text, with lines of 75 octets at most.
    var text: String {
        var lines = [
            "BEGIN:VCALENDAR", "PRODID:-//AquaMonitor//Care//EN", "VERSION:2.0", "CALSCALE:GREGORIAN",
            "METHOD:PUBLISH", "NAME:\(Self.escaped(name))", "X-WR-CALNAME:\(Self.escaped(name))",
            "REFRESH-INTERVAL;VALUE=DURATION:PT1H", "X-PUBLISHED-TTL:PT1H",
        ]
        for event in events { lines += self.lines(of: event) }
        lines.append("END:VCALENDAR")
        return lines.map { Self.folded($0) + "\r\n" }.joined()
    }

    private func lines(of event: Event) -> [String] {
        var lines = [
            "BEGIN:VEVENT", "UID:\(event.uid)", "DTSTAMP:\(Self.utc(event.changedAt))",
            "LAST-MODIFIED:\(Self.utc(event.changedAt))", "SEQUENCE:\(event.sequence)", "DTSTART:\(Self.utc(event.at))",
            "DURATION:PT15M", "SUMMARY:\(Self.escaped(event.summary))", "URL:\(link)", "STATUS:CONFIRMED",
            "TRANSP:TRANSPARENT", "CATEGORIES:\(Self.escaped(event.category))",
        ]
        if !event.description.isEmpty { lines.append("DESCRIPTION:\(Self.escaped(event.description))") }
        if let alarm = event.alarm {
            lines += [
                "BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:\(Self.escaped(alarm))", "TRIGGER:PT0S", "END:VALARM",
            ]
        }
        return lines + ["END:VEVENT"]
    }

    private static func utc(_ time: Timestamp) -> String {
        let civil = time.civilTime()
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return
            "\(civil.year)\(two(civil.month))\(two(civil.day))T\(two(civil.hour))\(two(civil.minute))\(two(civil.second))Z"
    }

    /// Text in a value (RFC 5545, section 3.3.11). Controls that no line may hold are left out.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.replacing("\r\n", with: "\n").unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\\\"
            case ";": escaped += "\\;"
            case ",": escaped += "\\,"
            case "\n", "\r": escaped += "\\n"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F: break
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// A line that goes on in the next, which begins with a space, after 75 octets: never within a character of UTF-8.
    static func folded(_ line: String) -> String {
        var folded = ""
        var octets = 0
        for scalar in line.unicodeScalars {
            let width = scalar.utf8.count
            if octets + width > 75 {
                folded += "\r\n "
                octets = 1
            }
            folded.unicodeScalars.append(scalar)
            octets += width
        }
        return folded
    }
}
