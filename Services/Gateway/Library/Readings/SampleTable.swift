import Instants
import People
import Store
import WaterQuality

/// A device's messages as CSV (RFC 4180).
struct SampleTable: Sendable {
    let device: DeviceKey
    let period: Range<Timestamp>
    private let work: [Work]
    private let columns: [(parameter: Parameter, scale: UnitScale)]
    private let corrected: [(parameter: Parameter, scale: UnitScale, course: CalibrationCourse)]
    private let approvals: [Approval]
    private let lag: Duration
    private let hasPositions: Bool

    /// - Parameters:
    ///   - work: Work on the water, by the device's clock.
    ///   - courses: The calibration logs by which parameters get a corrected column.
    ///   - approvals: Those that touch the period, by the true time.
    ///   - lag: How far the device's clock is behind that of the logs.
    ///   - hasPositions: Whether positions are kept of the period, which have columns then.
    init(
        device: DeviceKey, units: [FindUnits.Row], period: Range<Timestamp>, work: [Work],
        courses: [Parameter: CalibrationCourse] = [:], approvals: [Approval] = [], lag: Duration = .zero,
        hasPositions: Bool = false
    ) {
        self.device = device
        self.work = work
        self.period = period
        self.lag = lag
        self.hasPositions = hasPositions
        self.approvals = approvals
        let columns: [(parameter: Parameter, scale: UnitScale)] = Parameter.allCases.map { parameter in
            (parameter, parameter.scale(chosen: units.first { $0.parameter == parameter }?.unit))
        }
        self.columns = columns
        corrected = columns.compactMap { column in
            courses[column.parameter].map { (column.parameter, column.scale, $0) }
        }
    }

    /// The names of the columns, each with its unit: `temperature (C)`; the QARTOD codes after them, whether the hour is approved and
    /// somebody worked on the water, where it was, and last corrected values: `ph_corrected`.
    var header: [UInt8] {
        var line = "time"
        for (parameter, scale) in columns { line += "," + Self.title(parameter.name, scale) }
        line += Parameter.allCases.map { "," + $0.qualityTitle }.joined() + ",approved,work"
        if hasPositions { line += ",latitude,longitude" }
        for (parameter, scale, _) in corrected { line += "," + Self.title("\(parameter.name)_corrected", scale) }
        return Array((line + "\r\n").utf8)
    }

    private static func title(_ name: String, _ scale: UnitScale) -> String {
        CSV.cell(scale.unit == .ph ? name : "\(name) (\(scale.unit.rawValue))")
    }

    /// The stretch of kept positions to add for a piece of the period, of which the first needs what held before it; nil where there are none.
    func stretch(ofPositionsFor piece: Range<Timestamp>) -> Range<Timestamp>? {
        guard hasPositions else { return nil }
        return piece.lowerBound == period.lowerBound
            ? piece.lowerBound - TrackThinning.holds - TrackCourse.patience..<piece.upperBound : piece
    }

    /// - Parameter course: Where the device was at the times of the rows.
    func lines(_ rows: [MessageReview<ListSamples.Row>.Reviewed], _ course: TrackCourse = TrackCourse()) -> [UInt8] {
        var text = ""
        text.reserveCapacity(rows.count * 120)
        for reviewed in rows {
            let row = reviewed.message
            text += row.time.iso8601
            for (parameter, scale) in columns {
                text += ","
                // No value where the unit's formula does not hold.
                guard let stored = row.readings[parameter], let value = scale.fromCanonical(Double(stored)) else {
                    continue
                }
                text += "\(value.shown)"
            }
            text += reviewed.cells
            text += approvals.holds(at: row.time + lag) ? ",1" : ","
            text += work.working(at: row.time, for: nil) == .no ? "," : ",1"
            if hasPositions {
                let place = course.position(at: row.time)?.degrees
                text += place.map { ",\($0.latitude),\($0.longitude)" } ?? ",,"
            }
            for (parameter, scale, drift) in corrected {
                text += ","
                guard let stored = row.readings[parameter],
                    let value = drift.corrected(Double(stored), at: row.time + lag).flatMap(scale.fromCanonical)
                else { continue }
                text += "\(value.shown)"
            }
            text += "\r\n"
        }
        return Array(text.utf8)
    }
}
