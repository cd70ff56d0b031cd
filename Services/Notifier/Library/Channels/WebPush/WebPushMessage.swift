import FoundationEssentials
import Instants
import ServiceKit
import Store
import WaterQuality
import WebPush

/// An alert as browsers show it: a declarative notification, which Safari shows by itself and which others hand to the web app's
/// service worker.
struct WebPushMessage: Sendable {
    /// Not yet encrypted.
    let text: [UInt8]
    /// All but the authorization.
    let headers: [(name: String, value: String)]

    /// The most bytes of a device's name in the title, so that what is wrong with it is not cut off.
    private static let longestName = 96

    init(_ alert: RenderedAlert, origin: PublicOrigin, at time: Timestamp) throws {
        let topic = CollapseTopic.text(of: alert.collapseKey)
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let words = alert.notice.withDeviceName(ofAtMost: Self.longestName).message(in: alert.language)
        text = try Array(
            encoder.encode(
                Envelope(
                    webPush: 8030,
                    notification: Notification(
                        title: words.title, body: words.body, navigate: "\(origin.text)/alerts/\(alert.alert.text)",
                        lang: alert.language.rawValue, tag: topic, renotify: alert.purpose != .recovery,
                        timestamp: alert.decidedAt.microseconds / 1000,
                        data: Facts(
                            alert: alert.alert.text, device: alert.facts?.deviceID,
                            parameter: alert.facts?.parameter?.name, kind: alert.kind.rawValue,
                            purpose: alert.purpose.rawValue)))))
        headers = [
            ("content-type", "application/octet-stream"),
            ("content-encoding", "aes128gcm"),
            ("user-agent", "AquaMonitor"),
            ("ttl", "\(Self.secondsLeft(of: alert, at: time))"),
            ("topic", topic),
            // The all-clear may wait until the phone is awake anyway.
            ("urgency", alert.purpose == .recovery ? "normal" : "high"),
        ]
    }

    /// How long a push service keeps it for a phone that is off. Never 0, which Windows refuses.
    private static func secondsLeft(of alert: RenderedAlert, at time: Timestamp) -> Int64 {
        max(1, (alert.expiresAt - time).components.seconds)
    }
}

/// What browsers read (Push API, "declarative push message"); its names are not ours to choose.
private struct Envelope: Encodable {
    let webPush: Int
    let notification: Notification
}

private struct Notification: Encodable {
    let title: String
    let body: String
    let navigate: String
    let lang: String
    /// None of our languages is written from right to left.
    let dir = "ltr"
    let silent = false
    /// A notification replaces the one with the same tag.
    let tag: String
    /// Whether the phone buzzes as well when it replaces one.
    let renotify: Bool
    /// In milliseconds.
    let timestamp: Int64
    let data: Facts
}

/// For the web app, which shows and opens the alert; a promise to it.
private struct Facts: Encodable {
    let alert: String
    let device: String?
    let parameter: String?
    let kind: String
    let purpose: String
}

extension Notice {
    /// With the device's name cut, where it is longer, between two characters.
    fileprivate func withDeviceName(ofAtMost bytes: Int) -> Notice {
        func cut(_ trouble: Trouble) -> Trouble {
            var trouble = trouble
            trouble.deviceName = trouble.deviceName.cut(toBytes: bytes)
            return trouble
        }
        func cut(_ quiet: Quiet) -> Quiet {
            var quiet = quiet
            quiet.deviceName = quiet.deviceName.cut(toBytes: bytes)
            return quiet
        }
        func cut(_ broken: Broken) -> Broken {
            var broken = broken
            broken.deviceName = broken.deviceName.cut(toBytes: bytes)
            return broken
        }
        func cut(_ course: Course) -> Course {
            var course = course
            course.deviceName = course.deviceName.cut(toBytes: bytes)
            return course
        }
        func cut(_ way: Way) -> Way {
            var way = way
            way.deviceName = way.deviceName.cut(toBytes: bytes)
            return way
        }
        func cut(_ parting: Parting) -> Parting {
            var parting = parting
            parting.deviceName = parting.deviceName.cut(toBytes: bytes)
            return parting
        }
        return switch self {
        case .alarm(let trouble): .alarm(cut(trouble))
        case .unstable(let trouble): .unstable(cut(trouble))
        case .reminder(let trouble, let worst): .reminder(cut(trouble), worst: worst)
        case .recovery(let trouble, let time): .recovery(cut(trouble), at: time)
        case .silence(let quiet): .silence(cut(quiet))
        case .stillSilent(let quiet): .stillSilent(cut(quiet))
        case .heardAgain(let quiet, let time): .heardAgain(cut(quiet), at: time)
        case .fault(let broken): .fault(cut(broken))
        case .stillBroken(let broken): .stillBroken(cut(broken))
        case .worksAgain(let broken, let time): .worksAgain(cut(broken), at: time)
        case .changing(let course): .changing(cut(course))
        case .stillChanging(let course): .stillChanging(cut(course))
        case .steady(let course, let time): .steady(cut(course), at: time)
        case .heading(let way): .heading(cut(way))
        case .turned(let way, let time): .turned(cut(way), at: time)
        case .ended(let parting): .ended(cut(parting))
        case .test: .test
        }
    }
}

extension String {
    /// At most so many bytes of UTF-8, whole characters, with an ellipsis where any are missing.
    func cut(toBytes most: Int) -> String {
        guard utf8.count > most else { return self }
        var kept = ""
        var room = most - "…".utf8.count
        for character in self {
            room -= character.utf8.count
            guard room >= 0 else { break }
            kept.append(character)
        }
        return kept + "…"
    }
}
