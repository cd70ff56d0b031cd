import Instants
import Store
import WaterQuality
import Webhooks
import Words

extension WebhookContent {
    /// An alarm that might be a person's, or its end: a temperature above its limit.
    init(example purpose: Alert.Purpose, of watch: FindExampleWatch.Row, in language: Language) {
        let content = RangeContent(
            parameter: .temperature, side: .high, value: purpose == .recovery ? 23.8 : 25.6, worst: 25.6, limit: 24)
        // The person's clock is that much ahead now; in an hour of its change it does not matter here.
        let ahead = watch.wall - watch.now
        let alert = StoredAlert(
            example: .range(content), purpose, uid: .random(at: watch.now), device: watch.device ?? "pond-1",
            named: watch.name ?? watch.device ?? "Koi",
            openedAt: watch.now - .seconds(purpose == .recovery ? 3600 : 90),
            at: watch.now, in: language, unit: watch.unit, wall: { ($0 + ahead).civilTime() })
        self.init(alert, id: alert.name.delivery(to: Endpoint.ID(rawValue: 0)))
    }
}
