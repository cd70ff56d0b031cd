import Ingestor
import Instants
import TestSupport
import WaterQuality

/// Payloads of nine parameters in both of the protocol's shapes; every second one is flat.
struct DecodingWork {
    private static let distinct = 1_000
    private static let rounds = 50
    static let operations = distinct * rounds

    private let payloads: [[UInt8]]
    private let expectedSum: Float

    init(_ generator: inout SeededGenerator) {
        var payloads: [[UInt8]] = []
        var sum: Float = 0
        for number in 0..<Self.distinct {
            let values = Parameter.ofManual.map { parameter in
                let range = parameter.absoluteRange
                return parameter.value(
                    of: Steps(.random(in: range.lowerBound.count...range.upperBound.count, using: &generator)))
            }
            sum += values[0]
            let time = Timestamp(unixSeconds: 1_777_636_800 + Int64(number)).iso8601
            let readings = zip(Parameter.ofManual, values).map { "\"\($0.name)\":\($1)" }.joined(separator: ",")
            let isFlat = number.isMultiple(of: 2)
            payloads.append(
                Array(
                    (isFlat
                        ? "{\(readings),\"time\":\"\(time)\"}" : "{\"time\":\"\(time)\",\"readings\":{\(readings)}}")
                        .utf8))
        }
        self.payloads = payloads
        expectedSum = sum
    }

    /// - Throws: `TestSupportError` unless every value is decoded.
    func perform() throws {
        for _ in 0..<Self.rounds {
            var sum: Float = 0
            var complete = 0
            for bytes in payloads {
                let payload = try ReadingsPayload(bytes)
                sum += payload.readings[.temperature] ?? .nan
                if payload.faults.isEmpty, payload.time != .receipt, payload.readings.present == 0b1_1111_1111 {
                    complete += 1
                }
            }
            guard complete == Self.distinct, sum == expectedSum else {
                throw TestSupportError("Only \(complete) of \(Self.distinct) payloads were read as they were written")
            }
        }
    }
}
