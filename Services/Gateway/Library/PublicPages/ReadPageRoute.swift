import HTTPTypes
import Instants
import Routes

/// The route by which everybody reads a page whose address they have.
enum ReadPageRoute {
    static let all = [read]

    private static let secret = Input.path("page", Format<String>.text(1...128), "The secret of the address.")

    private static let read = Route<Caller>(
        .get, "/public/{page}", id: "readPublicPage", tag: DeviceRoutes.tag, access: .anyone, "Read a public page",
        text: """
            For whoever has its address, without signing in. It is made anew every half a minute at most; what was withdrawn, and what never was, is not \
            found.
            """,
        inputs: [secret], answers: .json(.ok, .publicPage, headers: [.eTag]), problems: [.notFound]
    ) { caller, inputs in
        let page = try await caller.scope.publicPage(inputs[secret])
        let known = caller.headers[.ifNoneMatch]
        // Of one address and one moment there is one page.
        let tag = EntityTag("r\(page.readAt.microseconds)")
        let headers: HTTPFields = [
            .eTag: tag.description, .cacheControl: "public, max-age=30", .xRobotsTag: "noindex",
        ]
        let isKnown = known.map { $0.contains(tag.value) || $0 == "*" } ?? false
        return isKnown ? .notModified(headers: headers) : .value(page, headers: headers)
    }
}
