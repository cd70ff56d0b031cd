import Instants
import MQTT
import ServiceKit
import Store
import Synchronization
import WaterQuality

/// The newest values of each device for Home Assistant: what was published, and what is to be. One entry for each
/// device heard since the start, however long Home Assistant's broker is away.
final class HomeBoard: Sendable {
    private struct Value {
        let value: Float
        let measuredAt: Timestamp
        let receivedAt: Timestamp

        /// Whether the value still says something about the water. Only the reading's own times count: a device that
        /// reports itself online does not make its old readings new.
        func isFresh(at now: Timestamp) -> Bool { now - min(measuredAt, receivedAt) <= stale }
    }

    private struct Latest {
        let name: String
        /// Parameters ever heard from the device, and those announced on this connection; nil: none yet.
        var measured: ParameterSet = []
        var announced: ParameterSet?
        /// Values not published yet.
        var values: [Parameter: Value] = [:]
        /// Event time of the newest reading, published or not.
        var time: Timestamp?
        var isOnline: Bool?
        var hasStatus = false

        /// Takes the waiting values that are not too old.
        mutating func takeReadings(at now: Timestamp) -> Readings {
            defer { values = [:] }
            var readings = Readings()
            for (parameter, value) in values where value.isFresh(at: now) { readings[parameter] = value.value }
            return readings
        }
    }

    private struct State {
        var devices: [DeviceKey: Latest] = [:]
        var changed: Set<DeviceKey> = []

        /// - Parameter name: The device's name; when it changed or is nil, everything known of the device is dropped.
        /// - Parameter body: Returns whether there is something to publish.
        mutating func change(_ key: DeviceKey, _ name: String?, _ body: (inout Latest) -> Bool) {
            guard let name else {
                devices[key] = nil
                return
            }
            var latest = devices[key] ?? Latest(name: name)
            if latest.name != name { latest = Latest(name: name) }
            guard body(&latest) else { return }
            devices[key] = latest
            changed.insert(key)
        }
    }

    /// Values measured or received longer ago are not published: they would look fresh.
    private static let stale = Duration.seconds(900)

    private let state = Mutex(State())

    /// Takes over what a commit added.
    /// - Parameter name: The hardware id of a device.
    func note(_ batch: IngestBatch, _ outcome: BatchTransaction.Outcome, name: (DeviceKey) -> String?) {
        state.withLock { state in
            for sample in batch.samples where Self.isNews(sample, outcome) {
                state.change(sample.key.owner, name(sample.key.owner)) { latest in
                    if let time = latest.time, time > sample.eventTime { return false }
                    latest.time = sample.eventTime
                    latest.measured.formUnion(ParameterSet(mask: sample.readings.present))
                    sample.readings.forEachPresent { parameter, value in
                        latest.values[parameter] = Value(
                            value: value, measuredAt: sample.eventTime, receivedAt: batch.receivedAt)
                    }
                    return true
                }
            }
            for (key, status) in batch.statuses {
                state.change(key, name(key)) { latest in
                    latest.isOnline = status.online
                    latest.hasStatus = true
                    return true
                }
            }
        }
    }

    private static func isNews(_ sample: Sample, _ outcome: BatchTransaction.Outcome) -> Bool {
        sample.hasReadings && !sample.flags.contains(.notEvaluated) && outcome.isNew(sample.key)
            && !outcome.refused.contains(sample.key)
    }

    /// Marks everything to be announced again, on a new connection.
    func startAnew() {
        state.withLock { state in
            for index in state.devices.values.indices {
                state.devices.values[index].announced = nil
                let hasStatus = state.devices.values[index].isOnline != nil
                state.devices.values[index].hasStatus = hasStatus
            }
            state.changed.formUnion(state.devices.keys)
        }
    }

    /// The next messages to publish.
    /// - Parameter most: Most devices.
    func take(most: Int, now: Timestamp) -> [MQTTMessage] {
        state.withLock { state in
            var messages: [MQTTMessage] = []
            for key in state.changed.prefix(most) {
                state.changed.remove(key)
                guard var latest = state.devices[key] else { continue }
                if latest.announced != latest.measured {
                    messages.append(HomeDiscovery.configuration(of: latest.name, latest.measured))
                    latest.announced = latest.measured
                }
                let readings = latest.takeReadings(at: now)
                if !readings.isEmpty, let time = latest.time {
                    messages += HomeDiscovery.state(of: latest.name, readings, at: time)
                }
                if latest.hasStatus, let isOnline = latest.isOnline {
                    messages.append(HomeDiscovery.status(of: latest.name, isOnline: isOnline))
                }
                latest.hasStatus = false
                state.devices[key] = latest
            }
            return messages
        }
    }
}
