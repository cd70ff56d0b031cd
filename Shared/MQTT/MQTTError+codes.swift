import CMosquitto

/// Errors from the return codes of the library and the reason codes of MQTT 5, in one place.
extension MQTTError {
    /// The error of a library call's return code; nil for success.
    static func library(_ code: Int32, file: String = #fileID, line: Int = #line) -> MQTTError? {
        let meaning: Code
        switch code {
        case MOSQ_ERR_SUCCESS.rawValue, MOSQ_ERR_CONN_PENDING.rawValue: return nil
        case MOSQ_ERR_NO_CONN.rawValue, MOSQ_ERR_CONN_LOST.rawValue, MOSQ_ERR_KEEPALIVE.rawValue,
            MOSQ_ERR_ERRNO.rawValue, MOSQ_ERR_NOMEM.rawValue:
            meaning = .connectionLost
        case MOSQ_ERR_CONN_REFUSED.rawValue: meaning = .connectionRefused(.other)
        case MOSQ_ERR_TLS.rawValue, MOSQ_ERR_TLS_HANDSHAKE.rawValue, MOSQ_ERR_OCSP.rawValue: meaning = .tls
        case MOSQ_ERR_EAI.rawValue, MOSQ_ERR_LOOKUP.rawValue: meaning = .unreachable
        case MOSQ_ERR_PAYLOAD_SIZE.rawValue, MOSQ_ERR_OVERSIZE_PACKET.rawValue: meaning = .messageTooLarge
        case MOSQ_ERR_MALFORMED_UTF8.rawValue, MOSQ_ERR_INVAL.rawValue: meaning = .invalidTopic
        case MOSQ_ERR_AUTH.rawValue: meaning = .connectionRefused(.badCredentials)
        case MOSQ_ERR_ACL_DENIED.rawValue: meaning = .notAuthorized
        case MOSQ_ERR_TIMEOUT.rawValue: meaning = .timeout
        default: meaning = .protocolViolation
        }
        return MQTTError(meaning, detail: String(cString: mosquitto_strerror(code)), file: file, line: line)
    }

    /// The error of a CONNACK's reason code; nil for success.
    static func connack(_ reason: Int32, file: String = #fileID, line: Int = #line) -> MQTTError? {
        let refusal: Refusal
        switch reason {
        case 0: return nil
        case 0x84: refusal = .unsupportedProtocolVersion
        case 0x85: refusal = .clientIdentifierNotValid
        case 0x86: refusal = .badCredentials
        // Some brokers hide whether a user exists and answer a wrong password with "not authorized".
        case 0x87: refusal = .notAuthorized
        case 0x88, 0x89, 0x9C, 0x9D, 0x9F: refusal = .serverUnavailable
        case 0x8A: refusal = .banned
        default: refusal = .other
        }
        return MQTTError(.connectionRefused(refusal), detail: reasonText(reason), file: file, line: line)
    }

    /// The error of a PUBACK's, SUBACK's or UNSUBACK's reason code; nil for success (below 0x80).
    static func acknowledgement(_ reason: Int32, file: String = #fileID, line: Int = #line) -> MQTTError? {
        let meaning: Code
        switch reason {
        case ..<0x80: return nil
        case 0x87: meaning = .notAuthorized
        case 0x8F, 0x90, 0xA2: meaning = .invalidTopic
        case 0x95: meaning = .messageTooLarge
        default: meaning = .protocolViolation
        }
        return MQTTError(meaning, detail: reasonText(reason), file: file, line: line)
    }

    /// The error of the disconnect callback's code: below 0x80 a return code of the library, from 0x80 on the reason
    /// code of the broker's DISCONNECT.
    static func disconnection(_ code: Int32, file: String = #fileID, line: Int = #line) -> MQTTError {
        switch code {
        case 0x8E: MQTTError(.sessionTakenOver, detail: reasonText(code), file: file, line: line)
        case 0x87: MQTTError(.connectionRefused(.notAuthorized), detail: reasonText(code), file: file, line: line)
        case 0x95: MQTTError(.messageTooLarge, detail: reasonText(code), file: file, line: line)
        case 0x80...: MQTTError(.connectionLost, detail: reasonText(code), file: file, line: line)
        default: library(code, file: file, line: line) ?? MQTTError(.connectionLost, file: file, line: line)
        }
    }

    private static func reasonText(_ reason: Int32) -> String {
        "reason 0x\(String(reason, radix: 16)), \(String(cString: mosquitto_reason_string(reason)))"
    }
}
