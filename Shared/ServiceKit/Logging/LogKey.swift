package import Logging

/// The metadata keys of all log lines, so that one query works for every service.
///
/// | to follow | search for |
/// |---|---|
/// | a message | `device.id` and `event.time` |
/// | a batch: the messages of one commit of an Ingestor | `received.at` |
/// | an alert | `alert.id` |
/// | a delivery of an alert, also its webhook's id | `delivery.id` |
///
/// The Ingestor logs messages at trace and batches at debug; alerts and deliveries are logged at info.
package enum LogKey: String, CaseIterable, Sendable {
    case account
    case address
    case alertID = "alert.id"
    case attempt
    case batchMessages = "batch.messages"
    case count
    case deliveryID = "delivery.id"
    /// The device's hardware id.
    case device
    /// The device's slot and its number in the slot, as `24/1017`: unchanged when a slot moves to another database.
    case deviceID = "device.id"
    case durationMilliseconds = "duration.ms"
    case endpointID = "endpoint.id"
    case episodeID = "episode.id"
    case error
    case eventTime = "event.time"
    case host
    case kind
    case lagSeconds = "lag.s"
    case method
    case name
    case parameter
    case partition
    case port
    case purpose
    case reason
    case receivedAt = "received.at"
    /// The id of a request to the Gateway; people see it in the answer's `X-Request-Id`.
    case requestID = "request.id"
    case route
    case seat
    case service
    case signal
    case slot
    case statusCode = "status.code"
    /// A PostgreSQL server's timeline, which each promotion raises.
    case timeline
    case topic
    case variable
    case version
}

extension Logger {
    /// Logs with keys of `LogKey`; the message is constant, and everything variable is metadata.
    package func log(
        _ level: Logger.Level, _ message: Logger.Message,
        _ metadata: @autoclosure () -> [LogKey: Logger.MetadataValue]
    ) {
        log(level: level, message, metadata: Dictionary(uniqueKeysWithValues: metadata().map { ($0.rawValue, $1) }))
    }

    /// A logger whose lines all have this value.
    package func with(_ key: LogKey, _ value: Logger.MetadataValue) -> Logger {
        var logger = self
        logger[metadataKey: key.rawValue] = value
        return logger
    }

    package func debug(_ message: Logger.Message, _ metadata: @autoclosure () -> [LogKey: Logger.MetadataValue]) {
        log(.debug, message, metadata())
    }

    package func info(_ message: Logger.Message, _ metadata: @autoclosure () -> [LogKey: Logger.MetadataValue]) {
        log(.info, message, metadata())
    }

    package func warning(_ message: Logger.Message, _ metadata: @autoclosure () -> [LogKey: Logger.MetadataValue]) {
        log(.warning, message, metadata())
    }

    package func error(_ message: Logger.Message, _ metadata: @autoclosure () -> [LogKey: Logger.MetadataValue]) {
        log(.error, message, metadata())
    }
}
