import Instants
import People
import Store
import Testing
import WaterQuality

@testable import Gateway

@Suite struct SampleTableTests {
    private static let start = Timestamp(unixSeconds: Int64(1_777_593_600))
    private static let device = DeviceKey(slot: Slot.all[1], device: Device.ID(rawValue: 1))

    @Test func unitsStandInTheHeaderAndValuesInTheLines() {
        let table = SampleTable(
            device: Self.device, units: [FindUnits.Row(parameter: .temperature, unit: .fahrenheit)],
            period: Self.start..<Self.start + .seconds(60), work: [])
        #expect(
            String(decoding: table.header, as: UTF8.self)
                == "time,temperature (F),ph,ammonia (ppm),nitrate (ppm),nitrite (ppm),alkalinity (ppm),hardness (ppm),"
                + "dissolved_oxygen (ppm),salinity (ppt),oxygen_saturation (%),free_ammonia (ppm),carbon_dioxide (ppm),"
                + "orp (mV),conductivity (uS/cm),tds (ppm),turbidity (NTU),turbidity_fnu (FNU),"
                + Parameter.allCases.dropFirst(17).map { "\($0.name) (\($0.canonicalUnit.rawValue))," }.joined()
                + Parameter.allCases.map { "\($0.name)_qc" }.joined(separator: ",") + ",approved,work\r\n")
        var readings = Readings()
        readings[.temperature] = 23.4
        readings[.ph] = 7.9
        let count = Parameter.allCases.count
        var review = MessageReview<ListSamples.Row>()
        review.add(.init(time: Self.start, readings: readings), readings, at: Self.start)
        #expect(
            String(decoding: table.lines(review.rest()), as: UTF8.self)
                == "2026-05-01T00:00:00Z,74.12,7.9" + String(repeating: ",", count: count - 1) + "1,1"
                + String(repeating: ",", count: count - 2) + ",,\r\n")
    }

    @Test(arguments: [
        ("plain", "plain"), ("a,b", "\"a,b\""), ("say \"hi\"", "\"say \"\"hi\"\"\""), ("=1+1", "'=1+1"), ("+1", "'+1"),
        ("-1", "'-1"), ("@x", "'@x"), ("\tx", "'\tx"), ("\rx", "\"'\rx\""), ("", ""),
    ]) func textIsNoFormula(_ text: String, _ expected: String) {
        #expect(CSV.cell(text) == expected)
    }
}
