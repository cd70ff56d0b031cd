import Instants
import Store
import WaterQuality

/// What a look for silence has decided, until it is written.
struct SilenceLedger {
    let now: Timestamp
    var probes = ProbeLedger(kind: .silence)
    /// Recoveries that were decided.
    var settled: [SettleRecoveries.Settled] = []
    /// When devices are looked at again.
    var checks: [SilenceCheck] = []

    init(now: Timestamp) { self.now = now }
}
