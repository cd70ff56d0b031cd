import Foundation
import Instants
import Logging
import ServiceKit
import Synchronization

/// Keeps log lines instead of printing them.
final class CapturedLog: LogOutput {
    private let lines = Mutex<[String]>([])

    func write(_ line: [UInt8]) {
        lines.withLock { $0.append(String(decoding: line, as: UTF8.self)) }
    }

    var text: [String] { lines.withLock { $0 } }

    /// The lines as JSON objects; throws if one is not JSON.
    func objects() throws -> [[String: Any]] {
        try text.map { try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] ?? [:] }
    }

    /// The messages of all lines.
    func messages() throws -> [String] {
        try objects().map { $0["message"] as? String ?? "" }
    }

    func logger(level: Logger.Level = .trace) -> Logger {
        Logger(label: "test") { label in
            JSONLogHandler(
                label: label, level: level, output: self,
                clock: WallClock { Timestamp(microseconds: 1_777_636_800_123_456) })
        }
    }
}
