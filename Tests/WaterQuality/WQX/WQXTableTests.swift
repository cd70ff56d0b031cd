import Instants
import TestSupport
import Testing

@testable import WaterQuality

/// Samples as lines of WQX's table.
@Suite struct WQXTableTests {
    private static let begun = Timestamp(unixSeconds: Int64(1_777_636_800))
    private static let id = "0198f3a2-5c1e-7b90-8d7e-3f4a5b6c7d90"
    private static let weir = WQXPlace(id: "weir-1", latitude: 48.2, longitude: -122.4)

    private func lines(
        _ id: String, _ values: [FieldValue], place: FieldPlace? = nil, at weir: WQXPlace = weir,
        means: [FieldValue] = [], state: FieldSample.State = .done
    ) throws -> [WQXLine] {
        let sampling = try #require(FieldProtocol.builtIn(id))
        let sample = FieldSample(
            protocolID: id, protocolVersion: 1, begunAt: Self.begun, state: state, surveyors: ["Ana"],
            comment: "Windy.", place: place, values: values)
        return WQXTable.lines(
            of: sample, id: Self.id, by: sampling, at: weir, status: .preliminary, means: means)
    }

    @Test func `a number is a result with all that is required`() throws {
        let place = FieldPlace(latitude: 48.21, longitude: -122.41, accuracy: 5, source: .gps)
        let found = try lines(
            "river-full", [FieldValue("temperature", .number(12.5)), FieldValue("nitrate", .number(10))], place: place)
        #expect(found.count == 2 && found.allSatisfy { $0.faults.isEmpty })
        let first = found[0]
        #expect(first[.activity] == "0198f3a25c1e7b908d7e3f4a5b6c7d90" && first[.activityType] == "Field Msr/Obs")
        #expect(
            [first[.startDate], first[.startTime], first[.timeZone]] == ["2026-05-01", "12:00:00", "UTC"])
        #expect(
            [first[.characteristic], first[.value], first[.unit], first[.valueType]]
                == ["Temperature, water", "12.5", "deg C", "Actual"])
        #expect(
            [first[.latitude], first[.longitude], first[.horizontalMethod], first[.horizontalDatum]]
                == ["48.21", "-122.41", "GPS-Unspecified", "WGS84"])
        #expect(first[.project] == "river-full")
        #expect(first[.fraction] == "" && first[.status] == "Preliminary")
        #expect(first[.activityComment] == "surveyors: Ana; Windy.")
        #expect([found[1][.unit], found[1][.speciation], found[1][.fraction]] == ["mg/L", "as NO3", "Unfiltered"])
    }

    @Test func `a class is estimated, and what could not be told has a detection condition`() throws {
        let values = [
            FieldValue("nitrate_class", .choice("3")), FieldValue("phosphate_class", .choice("7")),
            FieldValue("temperature", .below(0)),
        ]
        let found = try lines("volunteer", values)
        #expect(found.allSatisfy { $0.faults.isEmpty })
        #expect(
            [found[0][.value], found[0][.unit], found[0][.speciation], found[0][.valueType]]
                == ["0.75", "mg/L", "as N", "Estimated"])
        #expect(found[0][.resultComment] == "A class from 0.5 to 1 mg/L")
        #expect(found[1][.value] == "" && found[1][.detectionCondition] == "Present Above Quantification Limit")
        #expect(
            [found[1][.limitType], found[1][.limit], found[1][.limitUnit]] == ["Upper Quantitation Limit", "1", "mg/L"])
        #expect(found[2][.detectionCondition] == "Not Detected" && found[2][.limitType] == "Lower Reporting Limit")
    }

    @Test func `each depth is an activity of its own, and what is no result stands in the comment`() throws {
        let values = [
            FieldValue("temperature", depth: 0.5, .number(18)), FieldValue("temperature", depth: 4, .number(11)),
            FieldValue("ph", depth: 4, .notMeasured("no meter")), FieldValue("secchi_down", .number(3)),
        ]
        let found = try lines(
            "depth-profile", values, means: [FieldValue("secchi_mean", .number(3.1))])
        #expect(found.map { $0[.activity].count } == [35, 35, 32])
        #expect(Set(found.map { $0[.activity] }).count == 3)
        #expect(found.map { $0[.depth] } == ["0.5", "4", ""] && found.allSatisfy { $0.faults.isEmpty })
        #expect(
            [found[2][.characteristic], found[2][.value], found[2][.unit], found[2][.valueType]]
                == ["Depth, Secchi disk depth", "3.1", "m", "Calculated"])
        #expect(
            found[0][.activityComment]
                == "ph in 4 m: not measured, no meter; secchi_down: 3 m; surveyors: Ana; Windy.")
    }

    @Test func `what a line lacks is named by its element`() throws {
        let nowhere = WQXPlace(id: String(repeating: "w", count: 36))
        let found = try lines("river-quick", [FieldValue("shade", .number(3))], at: nowhere)
        #expect(found.count == 1 && found[0].field == "shade", "a field that the protocol does not know")
        #expect(
            found[0].faults.map { "\($0.element.rawValue): \($0.reason)" } == [
                "Monitoring Location ID: tooLong", "Characteristic Name: missing", "Result Value: missing",
                "Activity Latitude: missing", "Activity Longitude: missing",
                "Activity Horizontal Collection Method: missing",
                "Activity Horizontal Coordinate Reference System Datum: missing",
            ])
        for element in WQXColumn.required {
            var line = try #require(try lines("river-quick", [FieldValue("ph", .number(7))]).first)
            #expect(line.faults.isEmpty)
            line.cells[element] = nil
            #expect(line.faults.map(\.element) == [element], "\(element)")
        }
    }

    @Test func `a sample without results has no line, and keeps no table from being made`() throws {
        let nowhere = WQXPlace(id: "weir-1")
        #expect(try lines("river-quick", [FieldValue("level", .choice("low"))], at: nowhere).isEmpty)
        #expect(try lines("river-quick", [], at: nowhere).isEmpty)
    }

    @Test func `nothing of a sample that is not done is a result`() throws {
        for state in [FieldSample.State.begun, .withdrawn] {
            #expect(try lines("river-quick", [FieldValue("ph", .number(7))], state: state).isEmpty)
        }
    }

    /// Whatever unit a protocol asks in, the table says the same amount in a unit that WQX has.
    @Test func `each unit of each parameter is told, and means the same`() throws {
        let known: Set = [
            "deg C", "deg F", "deg K", "None", "mg/L", "ug/L", "mL/L", "umol/L", "PSU", "%", "mV", "NTU", "FNU",
            "uS/cm",
            "mS/cm", "S/m",
        ]
        for parameter in Parameter.allCases {
            for unit in Unit.allCases where parameter.accepts(unit) {
                let number = unit == .specificGravity ? 1.02 : 5
                let told = try #require(parameter.wqx(number, in: unit), "\(parameter) \(unit)")
                #expect(known.contains(told.unit), "\(parameter) \(unit): \(told.unit)")
                #expect(Double(told.value) != nil && !told.value.contains("e"), "\(parameter) \(unit): \(told.value)")
            }
        }
        let degrees = try #require(Parameter.alkalinity.wqx(8, in: .carbonateHardness))
        #expect(abs((Double(degrees.value) ?? 0) - 142.8) < 0.1 && degrees.speciation == "as CaCO3")
    }
}
