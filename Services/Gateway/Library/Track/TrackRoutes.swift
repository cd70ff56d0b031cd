import HTTPTypes
import Instants
import Postgres
import Routes
import Store
import WaterQuality

/// Routes of where a device that moves was.
enum TrackRoutes {
    static let all = [show, export, forget].forProjects()

    private static let longestDays = 31
    private static let mostPoints = 2_000

    private static let parameter = Input<Parameter?>.optionalQuery(
        "parameter",
        Format<Parameter.Name>.choice(Parameter.Name.self).map { (name: Parameter.Name) throws(Fault) -> Parameter in
            name.parameter
        }, "The parameter whose values stand beside the positions. Without it: temperature.")
    private static let points = Input<Int>.query(
        "points", .integer(1...mostPoints), default: 500, "About how many positions.")

    private static let show = Route<Caller>(
        .get, "/devices/{device}/track", id: "showTrack", tag: "Readings", access: .read, "Show where a device was",
        text: """
            Of a device whose owner says that it moves, and of the time in which its readings are the person's. Positions are kept where \
            they say something new: 15 metres from the last, or as far as they are accurate; after five minutes of slow drift; and one an hour \
            of what stands still. A period has \(longestDays) days at most. Times are corrected by the lag of the device's clock, where that is proven.
            """,
        inputs: [ReadingInputs.device, ReadingInputs.from, ReadingInputs.until, parameter, points],
        answers: .json(.ok, ShownTrack.output), problems: [.notFound], limit: .heavy
    ) { caller, inputs in
        let (id, parameter, most) = (inputs[ReadingInputs.device], inputs[parameter] ?? .temperature, inputs[points])
        let scope = caller.scope
        return try await scope.services.heavy.job(of: scope.person()).turn {
            try await scope.transaction(TransactionOptions(isReadOnly: true)) { transaction, account in
                let (device, period, lag) = try transaction.track(
                    of: id, inputs, longest: .seconds(longestDays * 86_400))
                let unit = try transaction.execute(FindUnits(of: device, for: account)).first {
                    $0.parameter == parameter
                }
                let scale = parameter.scale(chosen: unit?.unit)
                let rows = try transaction.execute(ReadTrack(of: device, in: period, with: parameter, most: most))
                return .value(
                    ShownTrack(
                        parameter: parameter, scale: scale, total: Int(rows.first?.total ?? 0),
                        places: rows.map { row in
                            ShownTrack.Place(
                                position: ShownPosition(point: row.point.moved(by: lag)),
                                value: row.value.flatMap { scale.fromCanonical(Double($0)) }?.shown)
                        }))
            }
        }
    }

    private static let export = Route<Caller>(
        .get, "/devices/{device}/track.geojson", id: "exportTrack", tag: "Readings", access: .read,
        "Export where a device was",
        text: """
            GeoJSON (RFC 7946): a point for each kept position, oldest first, with its time, its accuracy in metres and the readings of the \
            message that said it, in the person's units, which the member units names. It is sent while it is read; an answer that breaks off is \
            not complete.
            """,
        inputs: [ReadingInputs.device, ReadingInputs.from, ReadingInputs.until],
        answers: .stream(TrackFeatures.mediaType, "The positions.", isObject: true), problems: [.notFound],
        limit: .heavy,
        handle: { caller, inputs in
            let (scope, id) = (caller.scope, inputs[ReadingInputs.device])
            let (account, device, period, units, lag) = try await scope.transaction(
                TransactionOptions(isReadOnly: true)
            ) {
                transaction, account in
                let (device, period, lag) = try transaction.track(of: id, inputs)
                return (account, device, period, try transaction.execute(FindUnits(of: device, for: account)), lag)
            }
            let job = try scope.services.heavy.job(of: account)
            return .stream(headers: [
                .contentType: TrackFeatures.mediaType,
                .contentDisposition: "attachment; filename=\"\(id.text)-track.geojson\"",
            ]) { writer in
                var collection = TrackFeatures(units: units, lag: lag)
                try await writer.write(collection.begin)
                var pages = PeriodPages(period)
                while let page = pages.next() {
                    let rows = try await job.turn {
                        try await scope.transaction(TransactionOptions(isReadOnly: true)) { transaction, _ in
                            try transaction.execute(ListTrackReadings(of: device, in: page))
                        }
                    }
                    pages.note(rows: rows.count)
                    if !rows.isEmpty { try await writer.write(collection.features(rows)) }
                }
                try await writer.write(collection.end)
            }
        })

    private static let forget = Route<Caller>(
        .delete, "/devices/{device}/track", id: "deleteTrack", tag: "Readings", access: .fresh,
        "Delete all positions of a device",
        text: """
            As its owner, for everybody who has it. Readings stay. There is no way back. While its owner says that it moves, positions are \
            kept anew from where it goes on, or within the hour where it stands still.
            """,
        inputs: [DeviceInputs.device], answers: .nothing, problems: [.notFound, .ownerOnly], limit: .heavy
    ) { caller, inputs in
        let id = inputs[DeviceInputs.device]
        let scope = caller.scope
        let job = try await scope.services.heavy.job(of: scope.person())
        var deleted: Int32
        repeat {
            deleted = try await job.turn {
                try await scope.transaction { transaction, account in
                    let device = try transaction.lockOwnDevice(id, of: account)
                    return try transaction.execute(ForgetTrack(of: device)).first ?? 0
                }
            }
        } while deleted == ForgetTrack.most
        return .nothing
    }
}

extension Fault {
    static let trackTooLong = Fault("track-too-long")
}

extension TrackPoint {
    func moved(by lag: Duration) -> TrackPoint { TrackPoint(time: time + lag, position: position) }
}

extension PostgresTransaction {
    /// A device that the person has or had, the requested period by its clock, as far as readings are kept, and how far that is behind.
    fileprivate func track(
        of id: Device.HardwareID, _ inputs: Inputs, longest: Duration? = nil
    ) throws -> (device: DeviceKey, period: Range<Timestamp>, lag: Duration) {
        let device = try self.device(id)
        guard let now = try execute(ReadClock()).first, let kept = try execute(FindOldestSample(in: device.slot)).first
        else {
            throw Problem.pause
        }
        let lag = try execute(ReadClockLag(of: device)).first ?? .zero
        let asked = try ReadingInputs.period(inputs, now: now)
        if let longest, min(asked.upperBound, now) - asked.lowerBound > longest {
            throw Problem(ReadingInputs.until, .trackTooLong)
        }
        let period = asked.lowerBound - lag..<asked.upperBound - lag
        return (device, period.clamped(to: kept..<now + EventTime.furthestAhead), lag)
    }
}
