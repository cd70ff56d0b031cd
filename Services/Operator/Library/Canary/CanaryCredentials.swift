import FoundationEssentials
import Instants
import WaterQuality

/// What a publisher of the canary needs: its device, that device's key, and how often. None of the operator's keys is among it.
struct CanaryCredentials: Codable, Hashable, Sendable {
    var device: String
    var everySeconds: Int
    var password: String

    private static let file = "canary.json"

    func schedule(from start: Timestamp) -> CanarySchedule {
        CanarySchedule(every: .seconds(everySeconds), start: start)
    }
}

extension CanaryCredentials {
    /// - Throws: `notFound` where the directory has no credentials that can be used.
    static func read(from directory: String) throws(OperatorError) -> (CanaryCredentials, Device.HardwareID) {
        guard let data = FileManager.default.contents(atPath: "\(directory)/\(file)"),
            let credentials = try? JSONDecoder().decode(CanaryCredentials.self, from: data),
            CanarySchedule.intervals.contains(.seconds(credentials.everySeconds)),
            let device = Device.HardwareID(credentials.device)
        else {
            throw OperatorError(
                .notFound, "There is no \(file) that can be used in \(directory). Run: aqua canary prepare \(directory)"
            )
        }
        return (credentials, device)
    }

    /// Writes them where only the owner of the file may read them.
    func write(to directory: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        try PrivateFile.write(
            String(decoding: encoder.encode(self), as: UTF8.self), to: "\(directory)/\(Self.file)")
    }
}
