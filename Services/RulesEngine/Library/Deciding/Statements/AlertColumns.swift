import Instants
import Store
import WaterQuality

/// What an alert says, as its row has it.
struct AlertColumns {
    var side: Side?
    var value: Float?
    var worst: Float?
    var limit: Float?
    var checkProbe = false
    var isCritical = false
    var isUnstable = false
    var change: Float?
    var changeSeconds: Int32?
    var heading: Side?
    var expectedAt: Timestamp?

    init(_ content: Alert.Content, _ purpose: Alert.Purpose) {
        switch content {
        case .range(let range):
            (side, value, worst, limit) = (range.side, range.value, range.worst, range.limit)
            (checkProbe, isCritical, isUnstable) = (range.checkProbe, range.isCritical, range.isUnstable)
        case .silence(let silence): checkProbe = silence.checkProbe
        case .fault(let fault):
            (value, checkProbe) = (fault.flatAt, purpose != .recovery)
        case .rate(let rate):
            (value, limit, change) = (rate.change?.value, rate.change?.limit, rate.change?.by)
            changeSeconds = rate.change.map { Int32(clamping: $0.within.components.seconds) }
        case .ahead(let ahead):
            (value, limit, heading) = (ahead.outlook?.value, ahead.outlook?.limit, ahead.outlook?.side)
            expectedAt = ahead.outlook?.expectedAt
        case .test: break
        }
    }
}
