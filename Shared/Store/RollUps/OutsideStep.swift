import Instants
package import Postgres
package import WaterQuality

/// Computes how long an hour was out of people's limits, as a part of its roll-up.
///
/// The hour's least and greatest value settle most watches; for the others a bounded number of values is read, device
/// by device.
package struct OutsideStep {
    let hour: ClaimedHour
    /// The devices to check; empty for the whole slot.
    let devices: [Device.ID]

    package init(hour: ClaimedHour, devices: [Device.ID]) {
        self.hour = hour
        self.devices = devices
    }

    /// - Returns: The devices whose stored times have changed.
    package func perform(_ transaction: PostgresTransaction) throws -> [Device.ID] {
        let questions = try transaction.execute(FindLimitsInQuestion(hour, devices: devices))[...]
        var found: [FoundOutside] = []
        var rest = questions
        while let device = rest.first?.device {
            let ofDevice = rest.prefix { $0.device == device }
            rest = rest.dropFirst(ofDevice.count)
            found += try self.found(of: device, ofDevice, transaction)
        }
        return try transaction.execute(WriteTimeOutside(found, in: hour, devices: devices))
    }

    private struct Watch: Hashable {
        var account: Account.ID
        var parameter: Parameter
    }

    private func found(
        of device: Device.ID, _ questions: ArraySlice<LimitsInQuestion>, _ transaction: PostgresTransaction
    ) throws -> [FoundOutside] {
        let asked = ParameterSet(mask: questions.reduce(0) { $0 | $1.parameter.bit })
        let key = DeviceKey(slot: hour.slot, device: device)
        let period = hour.start..<hour.start + RollUpSchedule.hour
        // Out of range in work is not out of range, though a value from before holds into it.
        let worked = try transaction.execute(
            FindWorkedPeriods(on: key, in: period.lowerBound - HoldTime.before..<period.upperBound))
        let messages = try transaction.execute(ReadHourWithBefore(hour.start, of: key, asked))
            .filter { message in !worked.contains { $0.contains(message.time) } }
        return Dictionary(grouping: questions) { Watch(account: $0.account, parameter: $0.parameter) }
            .compactMap { watch, questions in
                let since = questions.map(\.readingsFrom).min() ?? .distantFuture
                let values = messages.compactMap { message -> (time: Timestamp, value: Float)? in
                    guard message.time >= since else { return nil }
                    return message.readings[watch.parameter].map { (message.time, $0) }
                }
                let outside = TimeOutside.of(watch.parameter, by: questions.map(\.limits), in: period, values)
                let seconds = Int16((outside / .seconds(1)).rounded())
                guard seconds > 0 else { return nil }
                return FoundOutside(
                    account: watch.account, device: device, parameter: watch.parameter, seconds: seconds)
            }
    }
}
