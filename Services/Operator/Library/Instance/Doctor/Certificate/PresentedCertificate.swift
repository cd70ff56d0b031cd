import Instants
import NIOCore
import NIOPosix
import NIOSSL
import NIOTLS

/// Reads from when to when the certificate of a TLS server is valid. The certificate is not verified, because an expired
/// one has to be read as well.
/// - Parameters:
///   - name: The name for which the server is asked, where it differs from the host that is dialled.
///   - limit: The longest wait for a connection, and for the certificate after that.
func readCertificate(
    host: String, port: Int, name: String? = nil, within limit: Duration = .seconds(5)
) async throws(UnreadCertificate) -> Range<Timestamp> {
    do {
        return try await presented(host: host, port: port, name: name ?? host, within: limit)
    } catch {
        throw error as? UnreadCertificate ?? UnreadCertificate(of: error)
    }
}

private func presented(
    host: String, port: Int, name: String, within limit: Duration
) async throws -> Range<Timestamp> {
    let tls = try NIOSSLContext(configuration: .makeClientConfiguration())
    let group = MultiThreadedEventLoopGroup.singleton
    let life = group.next().makePromise(of: Range<Timestamp>.self)
    let channel: any Channel
    do {
        channel = try await ClientBootstrap(group: group)
            .connectTimeout(TimeAmount(limit))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let handler = try NIOSSLClientHandler(
                        context: tls, serverHostname: isAddress(name) ? nil : name,
                        customVerificationCallback: { certificates, verdict in
                            if let certificate = certificates.first {
                                let start = Timestamp(unixSeconds: Int64(certificate.notValidBefore))
                                life.succeed(
                                    start..<max(start, Timestamp(unixSeconds: Int64(certificate.notValidAfter))))
                            } else {
                                life.fail(UnreadCertificate(.absent))
                            }
                            verdict.succeed(.certificateVerified)
                        })
                    try channel.pipeline.syncOperations.addHandler(handler)
                }
            }
            .connect(host: host, port: port).get()
    } catch {
        life.fail(error)
        throw error
    }
    channel.closeFuture.whenComplete { _ in life.fail(UnreadCertificate(.absent)) }
    let timeout = channel.eventLoop.scheduleTask(in: TimeAmount(limit)) { life.fail(UnreadCertificate(.stalled)) }
    defer {
        timeout.cancel()
        channel.close(promise: nil)
    }
    return try await life.futureResult.get()
}

/// Why a client does not trust a server's certificate.
enum CertificateFault: Sendable {
    /// The certificate does not name the host by which the server is reached.
    case otherName
    /// The certificate is not signed by a trusted authority, or has expired.
    case notTrusted
}

/// Verifies a TLS server's certificate as clients do.
/// - Parameters:
///   - name: The name that the certificate must have, where it differs from the host that is dialled.
///   - authorityFile: A PEM file of trusted authorities; nil for the system's.
/// - Returns: nil if clients trust the certificate, or if the server could not be reached.
func judgeCertificate(
    host: String, port: Int, name: String? = nil, authorityFile: String?, within limit: Duration = .seconds(5)
) async -> CertificateFault? {
    let name = name ?? host
    var configuration = TLSConfiguration.makeClientConfiguration()
    if let authorityFile { configuration.trustRoots = .file(authorityFile) }
    let group = MultiThreadedEventLoopGroup.singleton
    let verdict = group.next().makePromise(of: CertificateFault?.self)
    do {
        let tls = try NIOSSLContext(configuration: configuration)
        let channel = try await ClientBootstrap(group: group)
            .connectTimeout(TimeAmount(limit))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let handler = try NIOSSLClientHandler(context: tls, serverHostname: isAddress(name) ? nil : name)
                    try channel.pipeline.syncOperations.addHandlers(handler, HandshakeWatch(verdict: verdict))
                }
            }
            .connect(host: host, port: port).get()
        channel.closeFuture.whenComplete { _ in verdict.succeed(nil) }
        let timeout = channel.eventLoop.scheduleTask(in: TimeAmount(limit)) { channel.close(promise: nil) }
        defer {
            timeout.cancel()
            channel.close(promise: nil)
        }
        return try await verdict.futureResult.get()
    } catch {
        verdict.succeed(nil)
        return nil
    }
}

/// Reports how a handshake ends.
private final class HandshakeWatch: ChannelInboundHandler {
    typealias InboundIn = NIOAny
    private let verdict: EventLoopPromise<CertificateFault?>

    init(verdict: EventLoopPromise<CertificateFault?>) { self.verdict = verdict }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case TLSUserEvent.handshakeCompleted = event { verdict.succeed(nil) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        let isOtherName = error as? NIOSSLExtraError == .failedToValidateHostname
        verdict.succeed(isOtherName ? .otherName : error is NIOSSLError ? .notTrusted : nil)
        context.close(promise: nil)
    }
}
