import Instants
import Store
import WaterQuality

extension FuzzTarget {
    /// A batch that waits in the database for a decision.
    static let batch = FuzzTarget(
        "batch", bytes: BatchSeeds.all, words: ["\u{1}", "\0\0\0\0", "\u{7F}", "\0\0\0\0\0\0\0\0"]
    ) { bytes in
        var writer = EvaluationBatch.Writer()
        var messages = 0
        do {
            try EvaluationBatch.forEach(in: bytes) { message in
                writer.append(
                    device: message.device, time: message.time, readings: message.readings,
                    brokenProbes: message.brokenProbes)
                messages += 1
            }
        } catch is EvaluationBatch.Malformed {
            let isPresent = bytes.first == writer.bytes.first
            return try promise(
                !isPresent || bytes.starts(with: writer.bytes) || messages == 0,
                "what stands before the fault is read differently")
        }
        // Earlier formats are read, and written as the present one.
        let isPresent = bytes.first == writer.bytes.first
        try promise(!isPresent || writer.bytes == bytes, "written differently from how it was read")
        try promise(Int(writer.count) == messages, "\(writer.count) of \(messages) messages")
        try promise(messages <= bytes.count / 14, "\(messages) messages in \(bytes.count) bytes")
    }
}

private enum BatchSeeds {
    static let all: [[UInt8]] = [0, 1, 3].map { count in
        var writer = EvaluationBatch.Writer()
        for number in 0..<count {
            var readings = Readings()
            for parameter in Parameter.allCases.prefix(number * 4 + 1) { readings[parameter] = Float(number) + 0.5 }
            writer.append(
                device: Device.ID(rawValue: Int32(number)), time: Timestamp(microseconds: 1_777_636_800_000_000),
                readings: readings)
        }
        return writer.bytes
    }
}
