import Glibc

extension MetricsRegistry {
    /// Adds the usual process metrics of Prometheus client libraries, read from /proc at each scrape.
    package func addProcessMetrics() {
        observed(.gauge, "process_resident_memory_bytes", "Resident memory size in bytes.") {
            processStatus().map { Double($0.residentPages * sysconf(Int32(_SC_PAGESIZE))) }
        }
        observed(.gauge, "process_virtual_memory_bytes", "Virtual memory size in bytes.") {
            processStatus().map { Double($0.virtualBytes) }
        }
        observed(.counter, "process_cpu_seconds_total", "Total user and system CPU time spent in seconds.") {
            processStatus().map { Double($0.cpuTicks) / ticksPerSecond }
        }
        observed(.gauge, "process_start_time_seconds", "Start time of the process since unix epoch in seconds.") {
            guard let status = processStatus(), let boot = bootTime() else { return nil }
            return boot + Double(status.startTicks) / ticksPerSecond
        }
        observed(.gauge, "process_open_fds", "Number of open file descriptors.") {
            openFileDescriptors().map(Double.init)
        }
        observed(.gauge, "process_max_fds", "Maximum number of open file descriptors.") {
            var limit = rlimit()
            guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return nil }
            return Double(limit.rlim_cur)
        }
    }
}

/// The unit of times in /proc.
private var ticksPerSecond: Double { Double(sysconf(Int32(_SC_CLK_TCK))) }

struct ProcessStatus: Equatable {
    let cpuTicks: Int
    /// The start time in ticks since the machine's start.
    let startTicks: Int
    let virtualBytes: Int
    let residentPages: Int

    /// Reads the line of `/proc/PID/stat`. Fields are counted from behind the command, which may contain spaces and
    /// parentheses (proc(5): utime 14, stime 15, starttime 22, vsize 23, rss 24).
    init?(statLine: String) {
        guard let commandEnd = statLine.lastIndex(of: ")") else { return nil }
        let fields = statLine[statLine.index(after: commandEnd)...].split(whereSeparator: \.isWhitespace)
        func field(_ number: Int) -> Int? {
            fields.indices.contains(number - 3) ? Int(fields[number - 3]) : nil
        }
        guard let user = field(14), let system = field(15), let start = field(22), let virtual = field(23),
            let resident = field(24)
        else { return nil }
        cpuTicks = user + system
        startTicks = start
        virtualBytes = virtual
        residentPages = resident
    }
}

private func processStatus() -> ProcessStatus? {
    readProcFile("/proc/self/stat").flatMap(ProcessStatus.init)
}

/// The time at which the machine started, in seconds since the Unix epoch.
private func bootTime() -> Double? {
    readProcFile("/proc/stat")?
        .split(separator: "\n").first { $0.hasPrefix("btime ") }
        .flatMap { Double($0.dropFirst("btime ".count)) }
}

private func openFileDescriptors() -> Int? {
    guard let directory = opendir("/proc/self/fd") else { return nil }
    defer { closedir(directory) }
    var count = 0
    while readdir(directory) != nil { count += 1 }
    // Excludes ".", ".." and the descriptor of this directory itself.
    return count - 3
}

private func readProcFile(_ path: String) -> String? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var content: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while true {
        let count = read(file, &buffer, buffer.count)
        if count < 0, errno == EINTR { continue }
        guard count >= 0 else { return nil }
        if count == 0 { return String(decoding: content, as: UTF8.self) }
        content += buffer[..<count]
    }
}
