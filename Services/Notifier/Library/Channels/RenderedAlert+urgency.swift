import Store
import WaterQuality

/// How urgently a message is told, by whichever channel.
enum AlertUrgency: Sendable {
    /// A value beyond the person's critical limit.
    case critical
    /// What begins or goes on, and what is amiss with the person's account or their ways.
    case pressing
    /// What is over, or is no more the person's; and what is to be done for the water, which is no alarm.
    case calm
    /// A test, which is only looked for, what is told regularly, and that something was done.
    case quiet

    /// - Parameter purpose: nil for one of a newer version.
    init(_ purpose: Alert.Purpose?, _ content: Alert.Content) {
        self =
            switch purpose {
            case .test: .quiet
            case .note: content.isDue ? .calm : content.isRegular ? .quiet : .pressing
            case .recovery, .ended, .past, .calledOff: .calm
            case .alarm, .reminder, .escalation, nil:
                if case .test = content {
                    .quiet
                } else if content.range?.isCritical == true {
                    .critical
                } else {
                    .pressing
                }
            }
    }
}

extension Alert.Content {
    /// Whether it is told by the calendar and not for a reason of its own, or takes the place of something that is over: it wakes nobody.
    fileprivate var isRegular: Bool {
        switch self {
        case .summary, .proof: true
        case .care(let care): care.isDone
        default: false
        }
    }

    /// Whether it asks the person to do something for the water.
    fileprivate var isDue: Bool {
        if case .care(let care) = self { !care.isDone } else { false }
    }
}

extension RenderedAlert {
    /// That of the gravest alert.
    var urgency: AlertUrgency { AlertUrgency(alert.purpose.known, alert.content) }

    /// Whether it comes without a sound where there is a choice.
    var isSilent: Bool { alert.content.isRegular }

    /// Whether it is brought at once to a phone that sleeps. What is over, and what is told regularly, may wait until it wakes; a test is
    /// looked for.
    var isPrompt: Bool {
        switch urgency {
        case .critical, .pressing: true
        case .calm: false
        case .quiet: !isSilent
        }
    }
}
