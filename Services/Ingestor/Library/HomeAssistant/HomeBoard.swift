import Instants
import MQTT
import ServiceKit
import Store
import Synchronization
import WaterQuality

/// The newest of each device, for Home Assistant: what was told, and what is to be. Bounded by the devices that exist, however long
/// nobody listens.
final class HomeBoard: Sendable {
    private struct Latest {
        let name: String
        /// What the device was ever heard to measure, and with what of it it was announced on this connection; nil: not at all.
        var measured: ParameterSet = []
        var announced: ParameterSet?
        /// What was not told yet.
        var readings = Readings()
        /// Event time of the newest reading, told or not.
        var time: Timestamp?
        var receivedAt: Timestamp
        var isOnline: Bool?
        var hasStatus = false
    }

    private struct State {
        var devices: [DeviceKey: Latest] = [:]
        var changed: Set<DeviceKey> = []

        /// - Parameter name: Of a device that is new here.
        /// - Parameter body: Returns whether there is something to tell.
        mutating func change(
            _ key: DeviceKey, _ name: String?, at now: Timestamp, _ body: (inout Latest) -> Bool
        ) {
            guard var latest = devices[key] ?? name.map({ Latest(name: $0, receivedAt: now) }), body(&latest) else {
                return
            }
            latest.receivedAt = now
            devices[key] = latest
            changed.insert(key)
        }
    }

    /// What waited for longer is not told any more: it would look fresh.
    private static let stale = Duration.seconds(900)

    private let state = Mutex(State())

    /// Takes over what a commit made new.
    /// - Parameter names: The hardware ids of all devices; asked only when one is new here.
    func note(_ batch: IngestBatch, _ outcome: BatchTransaction.Outcome, names: () -> [DeviceKey: String]) {
        let names = knows(batch) ? [:] : names()
        state.withLock { state in
            for sample in batch.samples where Self.isNews(sample, outcome) {
                state.change(sample.key.owner, names[sample.key.owner], at: batch.receivedAt) { latest in
                    if let time = latest.time, time > sample.eventTime { return false }
                    latest.time = sample.eventTime
                    latest.measured.formUnion(ParameterSet(mask: sample.readings.present))
                    sample.readings.forEachPresent { latest.readings[$0] = $1 }
                    return true
                }
            }
            for (key, status) in batch.statuses {
                state.change(key, names[key], at: batch.receivedAt) { latest in
                    latest.isOnline = status.online
                    latest.hasStatus = true
                    return true
                }
            }
        }
    }

    /// Whether all devices of a batch are known here.
    private func knows(_ batch: IngestBatch) -> Bool {
        state.withLock { state in
            batch.samples.allSatisfy { state.devices[$0.key.owner] != nil }
                && batch.statuses.keys.allSatisfy { state.devices[$0] != nil }
        }
    }

    private static func isNews(_ sample: Sample, _ outcome: BatchTransaction.Outcome) -> Bool {
        sample.hasReadings && !sample.flags.contains(.notEvaluated) && outcome.isNew(sample.key)
            && !outcome.refused.contains(sample.key)
    }

    /// Everything has to be announced again, on a connection that is new.
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

    /// What is to be told next.
    /// - Parameter most: Of how many devices.
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
                if !latest.readings.isEmpty, now - latest.receivedAt <= Self.stale, let time = latest.time {
                    messages += HomeDiscovery.state(of: latest.name, latest.readings, at: time)
                }
                if latest.hasStatus, let isOnline = latest.isOnline {
                    messages.append(HomeDiscovery.status(of: latest.name, isOnline: isOnline))
                }
                (latest.readings, latest.hasStatus) = (Readings(), false)
                state.devices[key] = latest
            }
            return messages
        }
    }
}
