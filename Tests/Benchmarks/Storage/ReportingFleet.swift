import Instants
import ServiceKit
import Store
import TestSupport
import WaterQuality

/// Devices that report nine parameters every 30 seconds unless another interval is given, evenly spread over it. All messages arrive in the
/// order of their times: each device's are an interval apart, and no two devices publish at once.
struct ReportingFleet: Sendable {
    /// The number of devices unless another is given.
    static let devices = 1_543
    /// The delay of a message.
    static let delay = Duration.milliseconds(80)
    /// The number of rounds: two and a half days, in which the fleet sends 100 million readings.
    static let rounds = 7_201
    static let messages = rounds * devices
    static let readings = messages * Parameter.ofManual.count

    let keys: [DeviceKey]
    let interval: Duration
    let start: Timestamp
    let end: Timestamp

    /// A fleet whose last round ends now.
    init(devices: Int = Self.devices, interval: Duration = .seconds(30), rounds: Int = Self.rounds) {
        keys = (1...devices).compactMap { number in
            Device.HardwareID("probe-\(number)").map {
                DeviceKey(slot: Slot(of: $0), device: Device.ID(rawValue: Int32(number)))
            }
        }
        self.interval = interval
        end = WallClock.system.now()
        start = end - interval * rounds
    }

    /// The time from the start of a round to a device's report.
    func phase(_ index: Int) -> Duration { interval * index / keys.count }

    func sample(round: Int, index: Int, _ generator: inout SeededGenerator) -> Sample {
        let time = start + interval * round + phase(index)
        var readings = Readings()
        for parameter in Parameter.ofManual {
            let range = parameter.absoluteRange
            readings[parameter] = parameter.value(
                of: Steps(.random(in: range.lowerBound.count...range.upperBound.count, using: &generator)))
        }
        let key = keys[index]
        return Sample(
            slot: key.slot, device: key.device, at: EventTime(device: time, receipt: time + Self.delay),
            receivedAt: time + Self.delay, readings: readings)
    }
}
