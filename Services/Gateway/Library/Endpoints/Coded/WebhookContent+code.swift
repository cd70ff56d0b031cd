import Instants
import Store
import WaterQuality
import Webhooks
import Words

extension WebhookContent {
    /// A message with a code, of the type of a test, by which automations wake nobody.
    init(code: String, at now: Timestamp, in language: Language) {
        let test = StoredAlert(
            example: .test, .test, uid: .random(at: now), device: nil, named: nil, openedAt: now, at: now, in: language)
        let words = SentCode.words(code, in: language)
        self.init(
            id: "code_\(String(UInt64.random(in: .min ... .max), radix: 16))", collapseKey: test.collapseKey,
            alerts: [test], title: words.title, text: words.text, path: "/settings/notifications")
    }
}
