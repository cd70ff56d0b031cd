import Foundation
import Synchronization

package enum Ports {
    private static let handedOut = Mutex<Set<Int>>([])

    /// A port of the loopback interface that nobody listens on, outside the range of outgoing connections.
    ///
    /// Each is handed out once in this process: seconds pass before a server binds it, in which another test asks, too.
    package static func free() -> Int {
        while true {
            let port = Int.random(in: 20000..<32000)
            let isOurs = handedOut.withLock { $0.insert(port).inserted }
            if isOurs && !isListening(port) { return port }
        }
    }

    package static func isListening(_ port: Int) -> Bool {
        let suffix = ":" + ("000" + String(port, radix: 16, uppercase: true)).suffix(4)
        return ["/proc/net/tcp", "/proc/net/tcp6"].contains { path in
            // The kernel hands it out a page at a time, and what reads whole files takes the first page for all.
            guard let table = try? FileHandle(forReadingAtPath: path)?.readToEnd() else { return false }
            return String(decoding: table, as: UTF8.self).split(separator: "\n").contains { line in
                let columns = line.split(separator: " ", omittingEmptySubsequences: true)
                return columns.count > 3 && columns[1].hasSuffix(suffix) && columns[3] == "0A"
            }
        }
    }
}
