import Store
import WaterQuality

/// How urgently an app tells a message.
enum AppUrgency: Sendable {
    /// A value beyond the person's critical limit.
    case critical
    /// What begins or goes on.
    case pressing
    /// What is over, or concerns no water: it may wait until the phone is awake anyway.
    case calm
    /// A test, which is only looked for, and what is told regularly.
    case quiet

    init(_ rendered: RenderedAlert) {
        let alert = rendered.alert
        self =
            switch alert.purpose.known {
            case .test: .quiet
            case .note: rendered.isQuiet ? .quiet : .pressing
            case .recovery, .ended, .past, .calledOff: .calm
            case .alarm, .reminder, .escalation, nil:
                if alert.kind.known == .test {
                    .quiet
                } else if alert.content.range?.isCritical == true {
                    .critical
                } else {
                    .pressing
                }
            }
    }
}
