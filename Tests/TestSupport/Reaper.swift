import Foundation
import Synchronization

/// Kills the children that this process did not stop, when this process ends for any reason: a small shell waits for
/// the end of a pipe, whose other end the kernel closes with this process.
enum Reaper {
    private static let shell = Mutex<Child?>(nil)

    private static let script = """
        declare -A left
        while read -r change; do
            case $change in +*) left[${change#+}]=1 ;; -*) unset "left[${change#-}]" ;; esac
        done
        ((${#left[@]} == 0)) || kill -KILL "${!left[@]}"
        """

    static func watch(_ pid: Int32) throws { try tell("+\(pid)\n") }
    static func forget(_ pid: Int32) throws { try tell("-\(pid)\n") }

    private static func tell(_ change: String) throws {
        try shell.withLock { shell in
            let running = try shell ?? Child.start("/bin/bash", ["-c", script], environment: ["PATH": "/usr/bin:/bin"])
            shell = running
            try running.input.write(contentsOf: Data(change.utf8))
        }
    }
}
