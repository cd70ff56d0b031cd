import Logging
import ServiceKit
import Synchronization
import ThreadExecutor

/// Reads tiles of the operator's own map, on a thread of its own: a disk may take its time.
///
/// A file that was replaced or written to is opened anew with the next request; while it cannot be read, that is logged once for
/// each reason, and nothing of the former one is given out.
final class MapReader: Sendable {
    /// Too many wait: the caller answers 503.
    struct Busy: Error {}

    /// A tile, or its absence, in a version of the map.
    struct Found: Sendable {
        let facts: MapFacts
        let picture: (type: ImageType, bytes: [UInt8])?
    }

    private let worker: Worker
    private let waiting = Mutex(0)
    private static let most = 256

    init(_ file: MapFile, _ logger: Logger) {
        worker = Worker(file, OutageLog(subject: "map file", logger: logger))
    }

    /// - Throws: `TileFault`, `Busy`.
    func facts() async throws -> MapFacts {
        try await inTurn { try await $0.facts() }
    }

    /// - Throws: `TileFault`, `Busy`.
    func tile(at address: TileAddress) async throws -> Found {
        try await inTurn { try await $0.tile(at: address) }
    }

    private func inTurn<Value: Sendable>(_ body: @Sendable (Worker) async throws -> Value) async throws -> Value {
        let isAdmitted = waiting.withLock { waiting in
            guard waiting < Self.most else { return false }
            waiting += 1
            return true
        }
        guard isAdmitted else { throw Busy() }
        defer { waiting.withLock { $0 -= 1 } }
        return try await body(worker)
    }
}

/// The thread.
private actor Worker {
    private let file: MapFile
    private let outage: OutageLog
    private let executor = ThreadExecutor(name: "aqua-map")
    private var open: OpenMap?
    /// The version whose content is of no use, which no request tries again. What cannot be opened may become readable as it
    /// is: rights are no part of a version.
    private var refused: (stamp: TileFile.Stamp?, fault: TileFault)?

    init(_ file: MapFile, _ outage: OutageLog) {
        self.file = file
        self.outage = outage
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    func facts() throws -> MapFacts { try current().facts }

    func tile(at address: TileAddress) throws -> MapReader.Found {
        var map = try current()
        // The map's directories are not copied for the change.
        open = nil
        defer { open = map }
        do {
            return MapReader.Found(facts: map.facts, picture: try map.archive.tile(at: address))
        } catch {
            outage.failed(because: "\(file.path) \(error.story)")
            throw error
        }
    }

    private func current() throws(TileFault) -> OpenMap {
        let stamp = file.stamp
        if let open, open.stamp == stamp { return open }
        if let refused, refused.stamp == stamp { throw refused.fault }
        do {
            let opened = try file.opened()
            open = opened
            refused = nil
            outage.succeeded()
            return opened
        } catch {
            open = nil
            refused = error.isOfContent ? (stamp: stamp, fault: error) : nil
            outage.failed(because: "\(file.path) \(error.story)")
            throw error
        }
    }
}
