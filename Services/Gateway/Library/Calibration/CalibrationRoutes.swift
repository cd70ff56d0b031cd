import HTTPTypes
import Postgres
import Routes
import Store
import WaterQuality

/// Routes of the calibration logs of probes.
enum CalibrationRoutes {
    static let tag = API<Caller>.Tag(
        "Calibration", "What probes read in standards, and how they drift. Alarms are decided by what they read.")
    static let all = [put] + [list, show, remove].forProjects()

    private static let list = Route<Caller>(
        .get, "/devices/{device}/calibrations", id: "listCalibrations", tag: tag.name, access: .read,
        "Show how each probe of a device stands by its calibration log",
        text: "Of the parameters that have a log, without its entries.",
        inputs: [ReadingInputs.device], answers: .json(.ok, .list(of: CalibrationState.summary)),
        problems: [.notFound]
    ) { caller, inputs in
        let id = inputs[ReadingInputs.device]
        return try await caller.scope.transaction(TransactionOptions(isReadOnly: true)) { transaction, _ in
            let device = try transaction.device(id)
            let parameters = try transaction.calibratedParameters(on: device)
            return .value(try transaction.calibrationStates(of: parameters, on: device))
        }
    }

    private static let show = Route<Caller>(
        .get, "/devices/{device}/parameters/{parameter}/calibrations", id: "showCalibrations", tag: tag.name,
        access: .read, "Show a probe's calibration log, its drift, and when it is due",
        text: """
            The newest \(CalibrationState.most.entries) entries of the tank in which the person has or had the device last. The drift is the \
            slope of the line through the errors that at least three looks found since the last probe, in a week or more, by standards \
            alone where there are enough of them.
            """,
        inputs: [ReadingInputs.device, ReadingInputs.parameter],
        answers: .json(.ok, CalibrationState.output), problems: [.notFound]
    ) { caller, inputs in
        let (id, parameter) = (inputs[ReadingInputs.device], inputs[ReadingInputs.parameter])
        return try await caller.scope.transaction(TransactionOptions(isReadOnly: true)) { transaction, _ in
            .value(try transaction.calibrationStates(of: [parameter], on: try transaction.device(id))[0])
        }
    }

    private static let put = Route<Caller>(
        .put, "/devices/{device}/parameters/{parameter}/calibrations/{calibration}", id: "putCalibration",
        tag: tag.name, access: .write, "Write down that a probe was checked, cleaned, calibrated or replaced",
        text: """
            The client chooses the id. Without If-Match the entry is made; the same again changes nothing and is answered alike. With \
            If-Match it is changed, by whoever wrote it or by the owner; who wrote it stays. Another content without If-Match, or of another \
            version, is 412. No reading and no alarm changes by it.
            """,
        inputs: [
            DeviceInputs.device, ReadingInputs.parameter, CalibrationInputs.entry,
            Input<EntityTagCondition?>.ifMatchOfChange,
        ] + CalibrationInputs.content,
        answers: .json(.created, CalibrationEntry.output, alternatives: [.ok], headers: [.eTag]),
        problems: [.notFound, .ownerOnly]
    ) { caller, inputs in
        let (device, id) = (inputs[DeviceInputs.device], inputs[CalibrationInputs.entry])
        let parameter = inputs[ReadingInputs.parameter]
        let condition = inputs[Input<EntityTagCondition?>.ifMatchOfChange]
        return try await caller.scope.transaction { transaction, _ in
            let tank = try transaction.tank(of: device)
            var found = try transaction.calibration(id, of: parameter, in: tank)
            if found == nil, condition != nil { throw Problem(.notFound) }
            if let found { try tank.requireRight(isTheirs: found.by?.isMe == true) }
            let content = try CalibrationInputs.content(
                inputs, of: parameter, now: try transaction.execute(ReadClock())[0])
            if found == nil {
                let isAdded =
                    try transaction.execute(AddCalibration(id, of: parameter, in: tank, content)).first == true
                found = try transaction.calibration(id, of: parameter, in: tank)
                if isAdded, let found { return found.answer(.created) }
            }
            // Without a row it is somebody else's, or of another parameter.
            guard let found else { throw Problem(.notFound) }
            guard try ClientChoice(condition, current: found.tag, isSame: found.content == content) == .change else {
                return found.answer(.ok)
            }
            guard try transaction.execute(ChangeCalibration(found, in: tank.key, to: content)).first == true,
                let changed = try transaction.calibration(id, of: parameter, in: tank)
            else { throw Problem(.preconditionFailed) }
            return changed.answer(.ok)
        }
    }

    private static let remove = Route<Caller>(
        .delete, "/devices/{device}/parameters/{parameter}/calibrations/{calibration}", id: "removeCalibration",
        tag: tag.name, access: .write, "Remove an entry of a calibration log",
        text: "One's own; the owner removes those of others, too.",
        inputs: [DeviceInputs.device, ReadingInputs.parameter, CalibrationInputs.entry], answers: .nothing,
        problems: [.notFound, .ownerOnly]
    ) { caller, inputs in
        let (device, id) = (inputs[DeviceInputs.device], inputs[CalibrationInputs.entry])
        let parameter = inputs[ReadingInputs.parameter]
        return try await caller.scope.transaction { transaction, _ in
            let tank = try transaction.tank(of: device)
            guard let found = try transaction.calibration(id, of: parameter, in: tank) else {
                throw Problem(.notFound)
            }
            try tank.requireRight(isTheirs: found.by?.isMe == true)
            _ = try transaction.perform(RemoveFromTank(CalibrationNote.self, id, in: tank.key))
            return .nothing
        }
    }
}

extension PostgresTransaction {
    fileprivate func calibration(
        _ id: CalibrationID, of parameter: Parameter, in tank: Tank
    ) throws -> CalibrationEntry? {
        let found = try execute(FindCalibration(id, in: tank.key)).first ?? nil
        return found?.parameter == parameter ? found : nil
    }
}
