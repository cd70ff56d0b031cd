/// The resources that each process used for a number of messages.
struct ServiceCost: Encodable, Sendable {
    /// Processor milliseconds for 1,000 messages.
    let cpuMsPer1000Messages: [String: Double]
    /// Resident memory at the end of the load.
    let rssMib: [String: Double]

    init(from before: [String: ProcessUsage], to after: [String: ProcessUsage], messages: Int) {
        cpuMsPer1000Messages = after.reduce(into: [:]) { costs, entry in
            let seconds = entry.value.cpuSeconds - (before[entry.key]?.cpuSeconds ?? 0)
            costs[entry.key] = (seconds * 1_000 / Double(messages) * 1_000 * 100).rounded() / 100
        }
        rssMib = after.filter { $0.value.memoryMiB > 0 }.mapValues { ($0.memoryMiB * 10).rounded() / 10 }
    }
}
