package import Hummingbird
package import NIOCore

/// Hummingbird's context of a request: only the connection.
package struct ConnectionContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    package let channel: any Channel

    package init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }
}
