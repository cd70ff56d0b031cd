import Foundation
import TestSupport
import Testing

@testable import WaterQuality

/// The oxygen saturation reported by a sonde in an estuary, compared with the one derived from its oxygen, temperature
/// and salinity (Grand Bay, July and August 2021; National Estuarine Research Reserve System).
@Suite struct SondeTests {
    private static let file = Paths.repository.appending(path: "../shared/data/swmp/gndblwq2021.csv")
        .path(percentEncoded: false)

    @Test(
        .enabled(
            if: FileManager.default.isReadableFile(atPath: file),
            "the recorded series, ../shared/data/swmp, is not here"))
    func saturationIsTheSondes() throws {
        let lines = try String(contentsOfFile: Self.file, encoding: .utf8).split(whereSeparator: \.isNewline)
        let header = lines[0].split(separator: ",", omittingEmptySubsequences: false)
        let places = try ["Temp", "DO_mgl", "Sal", "DO_Pct"].map { name in
            try #require(header.firstIndex { $0 == name })
        }
        var differences: [Double] = []
        for line in lines.dropFirst() {
            let cells = line.split(separator: ",", omittingEmptySubsequences: false)
            let values = places.compactMap { Float(cells[$0]) }
            guard values.count == places.count else { continue }
            var readings = Readings()
            for (parameter, value) in zip([Parameter.temperature, .dissolvedOxygen, .salinity], values) {
                readings[parameter] = value
            }
            readings.derive()
            differences.append(try Double(#require(readings[.oxygenSaturation])) - Double(values[3]))
        }
        #expect(differences.count == 5_333)
        let magnitudes = differences.map(\.magnitude).sorted()
        let median = differences.sorted()[differences.count / 2]
        // The sonde reports oxygen in tenths of mg/L, which are more than a percent.
        #expect(abs(median - 0.09) <= 0.01, "\(median)")
        #expect(magnitudes[differences.count * 95 / 100] <= 0.735, "\(magnitudes[differences.count * 95 / 100])")
    }
}
