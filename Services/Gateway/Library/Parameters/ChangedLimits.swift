import Routes

/// The outcome of limits that were set on many devices.
struct ChangedLimits: Sendable {
    let devices: Int
    let changed: Int

    static let output = Output<ChangedLimits>.object(
        "ChangedLimits", "How many devices were meant, and how many of them had other limits.",
        [
            .member("devices", .integer, "How many were meant.", example: 48) { $0.devices },
            .member("changed", .integer, "How many of them had others.", example: 12) { $0.changed },
        ])
}
