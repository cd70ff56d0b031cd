import ArgumentParser
import MQTT
import Postgres
import ServiceKit
import Store

extension OperatorTool {
    /// Says on standard error what went wrong and what to do.
    /// - Returns: The exit code.
    static func present(_ error: any Error, on console: Console) -> Int32 {
        switch error {
        case let error as ExitCode:
            return error.rawValue
        case let error as OperatorError:
            return complain(error.description, on: console)
        case let error as ConfigurationFaults:
            return complain(
                "The environment is not complete or not right:\n"
                    + error.faults.map { "  \($0)" }.joined(separator: "\n"),
                on: console)
        case let error as SchemaMismatch:
            return complain(error.description, on: console)
        case let error as PostgresError:
            return complain(error.advice, on: console)
        case let error as MQTTError:
            return complain(error.advice, on: console)
        case is CancellationError:
            return complain("Stopped.", on: console)
        default:
            return presentParserError(error, on: console)
        }
    }

    private static func complain(_ sentence: String, on console: Console) -> Int32 {
        console.complain("\(configuration.commandName ?? ""): \(sentence)")
        return 1
    }

    /// Prints help, the version, and faults of the command line in the parser's own words.
    private static func presentParserError(_ error: any Error, on console: Console) -> Int32 {
        let code = exitCode(for: error)
        let message = fullMessage(for: error)
        if code.isSuccess {
            try? console.print(message)
        } else {
            console.complain(message)
        }
        return code.rawValue
    }
}

extension PostgresError {
    /// The error in the server's words, where they help an operator, and the remedy.
    var advice: String {
        switch code {
        case .configuration:
            "AQUA_DATABASE_URL cannot be used: \(message)."
        case .connectionFailed, .cannotConnectNow, .tooManyConnections:
            "The database cannot be reached: \(message). Start PostgreSQL, or correct AQUA_DATABASE_URL and AQUA_DATABASE_PASSWORD_FILE."
        case .connectionLost, .adminShutdown:
            "The connection to the database was lost (\(message)). Look whether PostgreSQL runs, and run the command again."
        case .notReplicated:
            "The change is on the primary, and perhaps on no standby: the wait for one was cut short. "
                + "See whether it was made, and run the command again if not."
        case .serverRefused:
            "The server of AQUA_DATABASE_URL is refused: \(message)"
        case .sharedSession:
            "AQUA_DATABASE_URL leads to a pooler that shares connections (\(message)). "
                + "Set pool_mode = session in PgBouncer, or name PostgreSQL itself."
        case .insufficientPrivilege:
            "The database role of AQUA_DATABASE_URL may not do that (\(message)). Name the role that owns the database there."
        case .undefinedTable, .undefinedObject:
            "The database does not have the schema that this tool works on (\(message)). "
                + "Run `aqua migrate`; if that changes nothing, see `aqua doctor`."
        case .migration:
            message
        case .deadlock, .serializationFailure, .lockNotAvailable:
            "Another transaction was in the way (\(message)). Run the command again."
        case .diskFull:
            "The database's disk is full (\(message)). Make room there and run the command again."
        case .checkViolation:
            Self.sentences[constraint ?? ""] ?? "The database refuses a value: \(message)."
        default:
            "The database refused: \(message) [\(sqlState ?? "no SQLSTATE")]. `aqua doctor` looks closer."
        }
    }

    /// Sentences for the constraints that people can violate, by constraint name.
    private static let sentences = [
        "setting_limits_cross": "The minimum must lie below the maximum; lower the minimum or raise the maximum first.",
        "setting_has_no_minimum": "This parameter has no minimum, as its best value is zero; set only a maximum.",
        "setting_absolute_range": "A limit lies beyond what the sensor can measure.",
    ]
}

extension MQTTError {
    var advice: String {
        switch code {
        case .unreachable, .timeout, .connectionLost:
            "\(sentence). Start Mosquitto, or correct AQUA_MQTT_URL."
        case .tls:
            "\(sentence). Name the authority that signed the broker's certificate in AQUA_MQTT_CA_FILE, "
                + "and use in AQUA_MQTT_URL a host name that the certificate has."
        case .connectionRefused:
            "\(sentence). Correct AQUA_MQTT_USER (aqua_admin for this tool) and AQUA_MQTT_PASSWORD_FILE."
        case .notAuthorized:
            "\(sentence). Users are managed by aqua_admin: set AQUA_MQTT_USER and AQUA_MQTT_PASSWORD_FILE to that user's."
        case .invalidConfiguration:
            "\(sentence). Correct AQUA_MQTT_URL."
        default:
            "\(sentence)\(detail.isEmpty ? "" : " (\(detail))"). `aqua doctor` looks closer."
        }
    }

    private var sentence: String { description.prefix(1).uppercased() + description.dropFirst() }
}
