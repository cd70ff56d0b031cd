import WaterQuality

extension DeviceClock.Finding {
    /// The proven lag of a clock that is wrong; `nil` for any other finding.
    var lagSeconds: Int32? {
        switch self {
        case .off(let lag), .stepped(let lag): Int32(clamping: lag.components.seconds)
        case .right, .unproven: nil
        }
    }

    var isStep: Bool { if case .stepped = self { true } else { false } }

    init(lagSeconds: Int32?) {
        self = lagSeconds.map { .off(.seconds(Int64($0))) } ?? .unproven
    }
}
