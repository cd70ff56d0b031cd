import NIOCore
import NIOPosix
import NIOSSL

/// When the certificate of a TLS server expires, in Unix seconds. The certificate is read and not judged: an expired one is what
/// is looked for.
func readCertificateEnd(host: String, port: Int, within limit: TimeAmount = .seconds(5)) async throws -> Int64 {
    let group = MultiThreadedEventLoopGroup.singleton
    let end = group.next().makePromise(of: Int64.self)
    let tls = try NIOSSLContext(configuration: .makeClientConfiguration())
    let channel: any Channel
    do {
        channel = try await ClientBootstrap(group: group)
            .connectTimeout(limit)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let handler = try NIOSSLClientHandler(
                        context: tls, serverHostname: isAddress(host) ? nil : host,
                        customVerificationCallback: { certificates, verdict in
                            if let certificate = certificates.first {
                                end.succeed(Int64(certificate.notValidAfter))
                            } else {
                                end.fail(NoCertificate())
                            }
                            verdict.succeed(.certificateVerified)
                        })
                    try channel.pipeline.syncOperations.addHandler(handler)
                }
            }
            .connect(host: host, port: port).get()
    } catch {
        end.fail(error)
        throw error
    }
    channel.closeFuture.whenComplete { _ in end.fail(NoCertificate()) }
    let timeout = channel.eventLoop.scheduleTask(in: limit) { channel.close(promise: nil) }
    defer {
        timeout.cancel()
        channel.close(promise: nil)
    }
    return try await end.futureResult.get()
}

/// TLS has no server names for addresses.
private func isAddress(_ host: String) -> Bool {
    host.contains(":") || host.allSatisfy { $0.isNumber || $0 == "." }
}

private struct NoCertificate: Error, CustomStringConvertible {
    let description = "the server did not present one"
}
