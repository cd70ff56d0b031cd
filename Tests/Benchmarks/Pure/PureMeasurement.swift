import TestSupport

/// Measures the pure work on a message, each kind alone on one thread.
struct PureMeasurement {
    /// The seed of the values.
    let seed: UInt64

    private static let repetitions = 15

    func run() throws -> PureFigures {
        step("Measuring what one core decides, decodes and signs")
        var generator = SeededGenerator(seed: seed)
        var evaluation = try EvaluationWork(&generator)
        let evaluations = try Rate.onOneCore(
            repetitions: Self.repetitions, operations: EvaluationWork.operations
        ) { try evaluation.perform() }
        let decoding = DecodingWork(&generator)
        let decodings = try Rate.onOneCore(
            repetitions: Self.repetitions, operations: DecodingWork.operations, decoding.perform)
        let signing = SigningWork(&generator)
        let signatures = try Rate.onOneCore(
            repetitions: Self.repetitions, operations: SigningWork.operations, signing.perform)
        let encryption = try EncryptionWork()
        let encryptions = try Rate.onOneCore(
            repetitions: Self.repetitions, operations: EncryptionWork.operations, encryption.perform)
        return PureFigures(
            evaluations: evaluations, decodings: decodings, signatures: signatures, encryptions: encryptions)
    }
}
