import Instants
import Store
import WaterQuality
import Webhooks
import Words

/// Messages of each kind, as a person in Fahrenheit is told them.
enum Example {
    static let openedAt = Timestamp(microseconds: 1_777_636_710_000_000)
    static let time = Timestamp(microseconds: 1_777_636_800_000_000)
    static let uid = Alert.UID(at: time, random: 7)
    static let id = "alert_\(uid)_7"

    static func alert(
        _ content: Alert.Content, _ purpose: Alert.Purpose = .alarm, named name: String? = "Koi",
        at now: Timestamp = time
    ) -> StoredAlert {
        StoredAlert(
            example: content, purpose, uid: uid, device: content == .test ? nil : "pond-1",
            named: content == .test ? nil : name, openedAt: openedAt, at: now, in: .en, unit: .fahrenheit)
    }

    static func message(
        _ content: Alert.Content, _ purpose: Alert.Purpose = .alarm, named name: String? = "Koi",
        at now: Timestamp = time
    ) -> WebhookContent {
        WebhookContent(alert(content, purpose, named: name, at: now), id: id)
    }

    static let warm = Alert.Content.range(
        RangeContent(parameter: .temperature, side: .high, value: 25.6, worst: 25.6, limit: 24))

    /// One of each kind, with all that it may say.
    static let all: [WebhookContent] = [
        message(warm), message(warm, .reminder), message(warm, .recovery, at: time + .seconds(600)),
        message(warm, .ended),
        message(
            .range(
                RangeContent(
                    parameter: .ph, side: .low, value: 5.9, worst: 5.8, limit: nil, checkProbe: true, isCritical: true,
                    isUnstable: true, isAfterWork: true))),
        message(.silence(SilenceContent(parameter: nil, checkProbe: true, hint: .battery(percent: 4)))),
        message(.silence(SilenceContent(parameter: .ph, checkProbe: false))),
        message(.fault(FaultContent(parameter: .temperature, flatAt: 21))),
        message(.fault(FaultContent(parameter: .temperature, differsBy: -0.6))),
        message(
            .rate(
                RateContent(
                    parameter: .temperature, change: .init(by: -3, within: .seconds(2400), value: 20, limit: 2)))),
        message(
            .ahead(
                AheadContent(
                    parameter: .dissolvedOxygen,
                    outlook: .init(side: .low, value: 6.4, limit: 6, expectedAt: time + .seconds(3600))))),
        message(
            .byHand(ByHandContent(parameter: .ammonia, found: .init(side: .high, value: 0.5, limit: 0.25)))),
        message(.other(kind: "flood", nil)), message(.test, .test), called,
    ]

    /// A call for somebody else's alarm.
    static var called: WebhookContent {
        var call = alert(warm, .escalation)
        call.call = Notice.Call(caller: "Ada", minutes: 10)
        return WebhookContent(call, id: id)
    }
}
