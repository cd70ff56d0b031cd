import Postgres
import Store
import WaterQuality

/// A sample of a table, with what a line needs beside it.
struct FieldRow: Sendable {
    var stored: StoredFieldSample
    /// `nil` where it is not known, or the table does not need it.
    var sampling: FieldProtocol?
    /// The device or place, as WQX's table needs it.
    var place: WQXPlace
}

/// Where the samples of a table are from.
enum FieldSource: Sendable {
    /// Samples that the person sees: of a device or place, or of all.
    case own(Device.HardwareID?)
    /// Samples that a project received, of a device or place, or of all: the newest version of each that is not withdrawn.
    case received(Device.HardwareID?)

    enum Place: Sendable {
        case beginning
        case below(PageFieldSamples.Place)
        case after(Int64)
    }

    private static let pageSize = 50

    /// A page of samples, and where the next one begins; `nil` at the end.
    func page(
        from place: Place, for kind: FieldTables.Kind, in transaction: PostgresTransaction
    ) throws -> (
        rows: [FieldRow], next: Place?
    ) {
        switch (self, place) {
        case (.own(let device), .beginning): try own(device, below: .newest, kind, transaction)
        case (.own(let device), .below(let place)): try own(device, below: place, kind, transaction)
        case (.received(let device), .beginning): try received(device, after: 0, kind, transaction)
        case (.received(let device), .after(let sequence)): try received(device, after: sequence, kind, transaction)
        case (.own, .after), (.received, .below): ([], nil)
        }
    }

    private func own(
        _ device: Device.HardwareID?, below place: PageFieldSamples.Place, _ kind: FieldTables.Kind,
        _ transaction: PostgresTransaction
    ) throws -> (rows: [FieldRow], next: Place?) {
        let found = try transaction.execute(
            PageFieldSamples(below: place, of: device, hasTracks: kind == .tracks, limit: Self.pageSize))
        let samples = found.compactMap(\.sample)
        let protocols = kind.needsProtocols ? try transaction.protocols(of: samples) : [:]
        let points = kind == .wqx ? try transaction.points(of: samples) : [:]
        let rows = samples.map { sample in
            let point = points[sample.device]
            return FieldRow(
                stored: sample, sampling: protocols[FieldProtocolKey(sample)],
                place: WQXPlace(id: sample.hardwareID, latitude: point?.latitude, longitude: point?.longitude))
        }
        return (rows, found.count == Self.pageSize ? found.last.map { .below($0.place) } : nil)
    }

    private func received(
        _ device: Device.HardwareID?, after sequence: Int64, _ kind: FieldTables.Kind,
        _ transaction: PostgresTransaction
    ) throws -> (rows: [FieldRow], next: Place?) {
        let found = try transaction.execute(
            PageReceivedSamples(
                after: sequence, of: device, isPresent: true, hasTracks: kind == .tracks, limit: Self.pageSize))
        let rows = found.compactMap { received in
            received.stored.map {
                FieldRow(
                    stored: $0, sampling: received.sampling,
                    place: WQXPlace(
                        id: received.hardwareID, latitude: received.latitude, longitude: received.longitude))
            }
        }
        return (rows, found.count == Self.pageSize ? found.last.map { .after($0.sequence) } : nil)
    }
}

/// A version of a protocol of whoever owns a device.
private struct FieldProtocolKey: Hashable, Sendable {
    let id: String
    let version: Int
    let device: DeviceKey

    init(_ stored: StoredFieldSample) {
        id = stored.sample.protocolID
        version = stored.sample.protocolVersion
        device = stored.device
    }
}

extension PostgresTransaction {
    fileprivate func protocols(of samples: [StoredFieldSample]) throws -> [FieldProtocolKey: FieldProtocol] {
        var found: [FieldProtocolKey: FieldProtocol] = [:]
        for key in Set(samples.map(FieldProtocolKey.init)) {
            found[key] = try fieldProtocol(key.id, version: key.version, of: key.device)
        }
        return found
    }

    fileprivate func points(of samples: [StoredFieldSample]) throws -> [DeviceKey: ListDevicePoints.Row] {
        let rows = try execute(ListDevicePoints(of: Array(Set(samples.map(\.device)))))
        return Dictionary(rows.map { ($0.device, $0) }) { $1 }
    }
}
