import Instants
import WaterQuality

/// For tests of one side: the throttle of the open episode's side, or of both sides if no episode is open.
extension WatchState {
    init(
        lastEvaluated: Timestamp? = nil, lastValue: Steps? = nil, episode: Episode? = nil, throttle: Throttle?,
        hasRecipient: Bool
    ) {
        self.init(lastEvaluated: lastEvaluated, lastValue: lastValue, episode: episode, hasRecipient: hasRecipient)
        self.throttle = throttle
    }

    var throttle: Throttle? {
        get { episode.flatMap { throttles[$0.side] } ?? throttles.latest }
        set {
            for side in Side.allCases where episode?.side.map({ $0 == side }) ?? true { throttles[side] = newValue }
        }
    }
}
