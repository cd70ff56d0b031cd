/// One alert on its way to one endpoint.
package enum Delivery {
    /// How far a delivery got: `pending` until it ends as one of the others. The raw values are stored.
    package enum State: String, CaseIterable, Sendable, Encodable { case pending, accepted, failed, stale, cancelled }

    /// The outcome of an attempt. The raw values are stored.
    package enum Outcome: String, CaseIterable, Sendable, Encodable {
        /// A 2xx answer.
        case accepted
        /// A failure that another attempt may overcome.
        case retry
        /// No answer after the request was sent; the receiver may have accepted it.
        case ambiguous
        /// 410: the endpoint is retired.
        case gone
        /// Nothing was sent: the alert was stale or not true any more, the endpoint is no longer the person's, or the target must
        /// not be called.
        case refused
    }
}
