package import Logging

/// The metadata keys of all log lines, so that one query finds one thing in every service.
///
/// | to follow | ask for |
/// |---|---|
/// | a message | `device.id` and `event.time` |
/// | a batch, which is what one commit of an Ingestor received | `received.at` |
/// | an alert | `alert.id` |
/// | a delivery of it, which is also its webhook's id | `delivery.id` |
///
/// The Ingestor tells a message at trace and a batch at debug; alerts and deliveries are told at info.
package enum LogKey: String, CaseIterable, Sendable {
    case account
    case address
    case alertID = "alert.id"
    case attempt
    case batchMessages = "batch.messages"
    case count
    case deliveryID = "delivery.id"
    /// Its hardware id.
    case device
    /// Its slot and its number there, as `24/1017`: what stays the same when a slot moves to another database.
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
    /// Of a request to the Gateway; people find it in the answer's `X-Request-Id`.
    case requestID = "request.id"
    case route
    case seat
    case service
    case signal
    case slot
    case statusCode = "status.code"
    /// Of a PostgreSQL server: the number of its history, which each promotion raises.
    case timeline
    case topic
    case variable
    case version
}

extension Logger {
    /// Logs with keys of the one enum; the message is constant and what varies is metadata.
    package func log(
        _ level: Logger.Level, _ message: Logger.Message,
        _ metadata: @autoclosure () -> [LogKey: Logger.MetadataValue]
    ) {
        log(level: level, message, metadata: Dictionary(uniqueKeysWithValues: metadata().map { ($0.rawValue, $1) }))
    }

    /// A logger whose lines all carry this value.
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
