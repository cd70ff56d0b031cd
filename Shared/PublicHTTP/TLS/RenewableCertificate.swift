import Backoff
package import Instants
package import Logging
import ServiceKit
import Synchronization

/// The certificate in use, replaced without a restart.
///
/// A connection keeps the certificate that was current when it began. Renewing the files needs no signal: they are read
/// every few seconds. Unusable files, such as a pair of which only one half has been replaced, leave the last good
/// certificate in use.
package final class RenewableCertificate: Sendable {
    private struct State {
        var current: ServedCertificate
        var isFailing = false
    }

    private let files: CertificateFiles
    private let state: Mutex<State>

    package init(_ files: CertificateFiles, _ first: ServedCertificate) {
        self.files = files
        state = Mutex(State(current: first))
    }

    package var current: ServedCertificate { state.withLock { $0.current } }
    /// Whether the files differ from the certificate in use and cannot be used.
    package var isFailing: Bool { state.withLock { $0.isFailing } }

    /// Reads the files at regular intervals.
    package func watch(_ interval: Duration, _ clock: WallClock, _ logger: Logger) async throws {
        tellValidity(clock.now(), logger)
        let outage = OutageLog(subject: "renewal of the certificate for \(files.audience)", logger: logger)
        try await every(interval) {
            switch renew(at: clock.now()) {
            case .unchanged: outage.succeeded()
            case .renewed(let validity):
                outage.succeeded()
                logger.info("Serves a renewed certificate", [.eventTime: "\(validity.end)"])
            case .kept(let reason): outage.failed(because: reason)
            }
        }
    }

    /// The result of reading the files.
    package enum Outcome: Equatable, Sendable {
        case unchanged
        case renewed(Validity)
        /// The files cannot be used, for this reason.
        case kept(reason: String)
    }

    /// Reads the files, and uses them if they are good.
    package func renew(at now: Timestamp) -> Outcome {
        let outcome = look(at: now)
        state.withLock { $0.isFailing = if case .kept = outcome { true } else { false } }
        return outcome
    }

    private func look(at now: Timestamp) -> Outcome {
        let used = current
        do {
            guard let read = try files.read(unless: used.digest) else { return .unchanged }
            if let fault = read.validity.fault(inPlaceOf: used.validity, at: now) {
                return .kept(reason: "the new certificate is \(fault.rawValue)")
            }
            state.withLock { $0.current = read }
            return .renewed(read.validity)
        } catch {
            return .kept(reason: "\(error)")
        }
    }

    /// Warns of an invalid certificate, which is served at the start all the same, because there is nothing better.
    private func tellValidity(_ now: Timestamp, _ logger: Logger) {
        let validity = current.validity
        if let fault = validity.fault(at: now) {
            logger.warning("Clients refuse the certificate", [.reason: "for \(files.audience): \(fault.rawValue)"])
        }
    }
}
