import Instants

extension DeviceClock {
    /// The clock of readings, as their receipts prove it; where they prove nothing, as it is known now.
    init(of readings: [PastReading], now lag: Duration) {
        self.init()
        for past in readings { observe(past.reading.time, receivedAt: past.receivedAt) }
        // Nothing is received before it is measured: by a clock that is behind no reading comes so soon.
        let areAllPrompt = readings.allSatisfy { Self.isRight(at: $0.reading.time, receivedAt: $0.receivedAt) }
        switch finding {
        // A lag that is proven in the end held before its proof as well.
        case .off(let own): self = DeviceClock(lag: own)
        case .right: self = DeviceClock()
        case nil where areAllPrompt && !readings.isEmpty: self = DeviceClock()
        case .stepped, .unproven, nil: self = lag == .zero ? DeviceClock() : DeviceClock(lag: lag)
        }
    }
}
