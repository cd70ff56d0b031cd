import Instants
import Store
import WaterQuality

/// An entry of a calibration log, by the UUID that its client gave it.
struct CalibrationID: RowUUID {
    let rawValue: UInt128
}

/// One standard as a person notes it, in the entry's unit.
struct CalibrationPoint: Hashable, Sendable {
    var standard: Double
    var before: Double?
    var after: Double?
    /// Millivolts of a pH electrode in the standard.
    var millivolts: Double?
}

/// The content of an entry.
struct CalibrationContent: Hashable, Sendable {
    var kind: Calibration.Kind
    var at: Timestamp
    var unit: Unit
    var points: [CalibrationPoint]
    /// Of the standards, in °C.
    var temperature: Double?
    var note: String?

    /// The comparison, in the parameter's canonical unit; what its formula does not hold for is left out.
    func comparison(of parameter: Parameter) -> Calibration {
        let scale = parameter.scale(in: unit) ?? parameter.canonicalScale
        let points = self.points.compactMap { point in
            scale.toCanonical(point.standard).map { standard in
                Calibration.Point(
                    standard: standard, before: point.before.flatMap(scale.toCanonical),
                    after: point.after.flatMap(scale.toCanonical))
            }
        }
        return Calibration(kind, at: at, points)
    }

    /// The electrode's health by the two buffers that are the farthest apart.
    var electrode: ElectrodeHealth? {
        let buffers = points.compactMap { point in
            point.millivolts.map { ElectrodeHealth.Buffer(ph: point.standard, millivolts: $0) }
        }.sorted { $0.ph < $1.ph }
        guard buffers.count > 1 else { return nil }
        return ElectrodeHealth(buffers[0], buffers[buffers.count - 1], at: temperature ?? 25)
    }
}

/// An entry as it is stored.
struct CalibrationEntry: Sendable {
    var id: CalibrationID
    var parameter: Parameter
    var version: Int32
    var content: CalibrationContent
    /// The author; `nil`: somebody who is gone.
    var by: CarePerson?

    var comparison: Calibration { content.comparison(of: parameter) }
}

/// A value by hand beside one of the probe: a check that nobody has to enter.
struct HandCheck: Sendable {
    var test: HandTestID
    var at: Timestamp
    var value: HandValue
    /// The probe's reading, in the canonical unit.
    var reading: Float

    var comparison: Calibration { Calibration(by: value, beside: reading, at: at) }
}
