// swift-tools-version: 6.2
import PackageDescription

/// Where libFuzzer is, while `deploy/fuzz` builds: our own targets then tell it what an input reaches.
let fuzzer = Context.environment["AQUA_FUZZ"]
let coverage: [SwiftSetting] =
    fuzzer == nil ? [] : [.unsafeFlags(["-enable-testing", "-Xfrontend", "-sanitize=fuzzer"])]

/// One set of rules for every target of this package.
let strict: [SwiftSetting] =
    coverage + [
        .treatAllWarnings(as: .error),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
    ]

/// A library below `Shared/`.
func shared(
    _ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []
) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Shared/\(name)", exclude: exclude, swiftSettings: strict)
}

/// A service below `Services/`: its library and a main of a few lines.
func service(
    _ name: String, executable: String, main: [Target.Dependency] = [], _ dependencies: [Target.Dependency]
) -> [Target] {
    [
        .target(
            name: name, dependencies: dependencies, path: "Services/\(name)/Library", swiftSettings: strict),
        .executableTarget(
            name: executable, dependencies: [.target(name: name), "ServiceKit"] + main, path: "Services/\(name)/Main",
            swiftSettings: strict),
    ]
}

/// The tests of one target, in the folder of the same name.
func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(
        name: "\(name)Tests", dependencies: dependencies, path: "Tests/\(name)", exclude: exclude, swiftSettings: strict
    )
}

/// The readers of outside input under hostile inputs: a short run among the tests, a long one under libFuzzer.
func fuzzing(_ readers: [Target.Dependency]) -> [Target] {
    guard let fuzzer else {
        return [
            .testTarget(
                name: "FuzzTests", dependencies: readers + ["TestSupport"], path: "Tests/Fuzz", exclude: ["Driver"],
                swiftSettings: strict)
        ]
    }
    return [
        .systemLibrary(name: "CLibFuzzer", path: "Tests/CLibFuzzer"),
        .executableTarget(
            name: "aqua-fuzz", dependencies: readers + ["CLibFuzzer"], path: "Tests/Fuzz",
            exclude: ["FuzzTests.swift", "Mutation"], swiftSettings: strict,
            linkerSettings: [.unsafeFlags([fuzzer]), .linkedLibrary("stdc++"), .linkedLibrary("m")]),
    ]
}

/// What tests of the whole system start.
let serviceExecutables: [Target.Dependency] = ["aqua", "aqua-gateway", "aqua-ingestor", "aqua-notifier", "aqua-rules"]

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let asyncHTTPClient = Target.Dependency.product(name: "AsyncHTTPClient", package: "async-http-client")
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let cryptoExtras = Target.Dependency.product(name: "CryptoExtras", package: "swift-crypto")
let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let hummingbird = Target.Dependency.product(name: "Hummingbird", package: "hummingbird")
let hummingbirdCore = Target.Dependency.product(name: "HummingbirdCore", package: "hummingbird")
let jwtKit = Target.Dependency.product(name: "JWTKit", package: "jwt-kit")
let lifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioHPACK = Target.Dependency.product(name: "NIOHPACK", package: "swift-nio-http2")
let nioHTTP1 = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let nioHTTP2 = Target.Dependency.product(name: "NIOHTTP2", package: "swift-nio-http2")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let nioSSL = Target.Dependency.product(name: "NIOSSL", package: "swift-nio-ssl")
let nioTLS = Target.Dependency.product(name: "NIOTLS", package: "swift-nio")
let nioWebSocket = Target.Dependency.product(name: "NIOWebSocket", package: "swift-nio")
let unixSignals = Target.Dependency.product(name: "UnixSignals", package: "swift-service-lifecycle")

let package = Package(
    name: "aquamonitor",
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
        .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0", traits: []),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-http2", exact: "1.46.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", exact: "2.37.6"),
        // Without its trait FullFoundation, which alone would bring 34 MB of ICU data into every service.
        .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1", traits: []),
        .package(url: "https://github.com/swift-server/async-http-client", exact: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
        .package(url: "https://github.com/vapor/jwt-kit", exact: "5.7.1"),
    ],
    targets: [
        .systemLibrary(
            name: "CLibpq", path: "Shared/CLibpq", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .systemLibrary(
            name: "CMosquitto", path: "Shared/CMosquitto", pkgConfig: "libmosquitto",
            providers: [.apt(["libmosquitto-dev"])]),
        .systemLibrary(name: "CGlibc", path: "Shared/CGlibc"),
        .systemLibrary(
            name: "CCurl", path: "Shared/CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(
            name: "CBrotli", path: "Shared/CBrotli", pkgConfig: "libbrotlienc", providers: [.apt(["libbrotli-dev"])]),
        .systemLibrary(
            name: "COpenSSL", path: "Shared/COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CZlib", path: "Shared/CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        shared("Backoff"),
        shared("ThreadExecutor", ["CGlibc"]),
        shared("Instants"),
        // Files that are part of the programs, by #embed of C23: Swift takes minutes to compile as much text.
        .target(name: "CLanguages", path: "Shared/CLanguages"),
        .target(name: "CSchema", path: "Shared/CSchema"),
        shared("Words", ["CLanguages"], exclude: ["Languages"]),
        shared("WaterQuality", ["Instants", "Words"]),
        shared("Postgres", ["Backoff", "CLibpq", "Instants", "ThreadExecutor"]),
        shared("MQTT", ["Backoff", "CMosquitto", "ThreadExecutor"]),
        shared("MQTTFleet", ["Backoff", "CGlibc", "MQTT", "ThreadExecutor"]),
        shared("BrokerControl", ["MQTT", "MQTTFleet"]),
        shared(
            "Store", ["CSchema", "Instants", "Postgres", "WaterQuality", "Words"],
            exclude: ["Schema/Tables", "Schema/Migrations", "Schema/Scripts"]),
        shared(
            "ServiceKit",
            [
                "Backoff", "Instants", "Words", asyncHTTPClient, hummingbird, lifecycle, logging, nioCore, nioHTTP1,
                nioSSL,
                unixSignals,
            ]),
        shared("DatabaseHealth", ["Backoff", "Postgres", "ServiceKit", logging]),
        shared("Secrets", ["COpenSSL", "Instants", crypto]),
        shared("PushTargets"),
        shared(
            "PushClient",
            [
                "Backoff", "Instants", "PushTargets", "Secrets", "ThreadExecutor", asyncHTTPClient, nioCore, nioHTTP1,
                nioSSL,
            ]),
        shared("Mail", ["CCurl", "Instants", "ServiceKit", "ThreadExecutor", "Words"]),
        shared("Messaging", ["Mail", "PushClient", "PushTargets", "WaterQuality", "Words"]),
        shared("Stations", ["Instants", "PushTargets", "Routes", "WaterQuality"]),
        shared("Webhooks", ["Instants", "Messaging", "Secrets", "Store", "WaterQuality"]),
        shared("WebPush", ["Instants", "PushTargets", "Secrets", crypto]),
        shared("People", ["Secrets", "WaterQuality", "Words"]),
        shared("Routes", ["Instants", "Words", httpTypes]),
        shared("SensorThings", ["Instants", "WaterQuality"]),
        shared(
            "PublicHTTP",
            [
                "Backoff", "Instants", "PushTargets", "Routes", "ServiceKit", crypto, httpTypes, hummingbird,
                hummingbirdCore, logging, nioCore, nioHTTP1, nioSSL, nioTLS,
            ]),
    ]
        + service(
            "Ingestor", executable: "aqua-ingestor", main: ["PublicHTTP"],
            [
                "Backoff", "DatabaseHealth", "Instants", "MQTT", "Postgres", "PublicHTTP", "PushClient", "PushTargets",
                "Routes",
                "Secrets",
                "ServiceKit",
                "Stations",
                "Store", "WaterQuality", "Words", httpTypes, hummingbird, lifecycle, logging, nioCore,
            ])
        + service(
            "RulesEngine", executable: "aqua-rules",
            [
                "Backoff", "DatabaseHealth", "Instants", "Postgres", "ServiceKit", "Store", "WaterQuality", lifecycle,
                logging,
            ])
        + service(
            "Notifier", executable: "aqua-notifier", main: ["PushClient"],
            [
                "Backoff", "DatabaseHealth", "Instants", "Mail", "Messaging", "Postgres", "PushClient", "PushTargets",
                "Secrets",
                "ServiceKit",
                "Store", "WaterQuality", "Webhooks", "WebPush", "Words",
                crypto, cryptoExtras, lifecycle, logging,
            ])
        + service(
            "Gateway", executable: "aqua-gateway", main: ["PublicHTTP", "PushClient"],
            [
                "Backoff", "CBrotli", "CZlib", "DatabaseHealth", "Instants", "Mail", "Messaging", "People", "Postgres",
                "PublicHTTP", "PushClient",
                "PushTargets",
                "Routes",
                "Secrets", "SensorThings", "ServiceKit", "Stations", "Store", "ThreadExecutor", "WaterQuality",
                "Webhooks",
                "WebPush", "Words",
                crypto, httpTypes, hummingbird, hummingbirdCore, jwtKit, lifecycle, logging, nioCore, nioHTTP1,
                nioPosix, nioSSL, nioTLS,
            ])
        + service(
            "Operator", executable: "aqua",
            [
                "Backoff", "BrokerControl", "CGlibc", "Instants", "Mail", "MQTT", "MQTTFleet", "People", "Postgres",
                "PublicHTTP", "PushTargets", "Secrets", "ServiceKit", "Store", "WaterQuality", "WebPush", "Words",
                argumentParser, logging, nioCore, nioPosix, nioSSL, nioTLS, unixSignals,
            ])
        // For demonstrations and trials; production does without.
        + service(
            "Rehearsal", executable: "aqua-rehearsal", main: ["Operator"],
            [
                "Backoff", "Instants", "MQTT", "MQTTFleet", "Operator", "Postgres", "Secrets", "ServiceKit", "Store",
                "WaterQuality", argumentParser, httpTypes, hummingbird, lifecycle, logging, nioCore,
            ])
        + [
            .target(
                name: "TestSupport",
                dependencies: [
                    "CGlibc", "CLibpq",
                    asyncHTTPClient, crypto, cryptoExtras, httpTypes, hummingbird, lifecycle, logging, nioCore,
                    nioHPACK,
                    nioHTTP1, nioHTTP2, nioPosix, nioSSL, nioTLS, nioWebSocket,
                ],
                path: "Tests/TestSupport", swiftSettings: strict),
            .systemLibrary(
                name: "CLoad", path: "Tests/CLoad", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
            .executableTarget(
                name: "aqua-bench",
                dependencies: [
                    "BrokerControl", "CLoad", "Gateway", "Ingestor", "Instants", "Mail", "Messaging", "MQTT",
                    "MQTTFleet", "Notifier", "Postgres", "PushClient", "Secrets", "ServiceKit", "Store", "TestSupport",
                    "WaterQuality", "WebPush",
                    argumentParser, asyncHTTPClient, crypto, nioCore, nioHPACK, nioHTTP1, nioHTTP2, nioPosix, nioSSL,
                ],
                path: "Tests/Benchmarks", swiftSettings: strict),
            .target(
                name: "Chaos",
                dependencies: ["Backoff", "MQTT", "MQTTFleet", "TestSupport", argumentParser, crypto, unixSignals],
                path: "Tests/Chaos/Library", swiftSettings: strict),
            .executableTarget(
                name: "aqua-chaos", dependencies: ["Chaos", argumentParser], path: "Tests/Chaos/Main",
                swiftSettings: strict),
            tests("Backoff", ["Backoff", "TestSupport"]),
            tests("Instants", ["Instants", "TestSupport"]),
            tests("WaterQuality", ["Instants", "TestSupport", "WaterQuality", "Words"], exclude: ["Snapshots"]),
            tests("Postgres", ["Instants", "Postgres", "TestSupport"]),
            tests(
                "DatabaseHealth",
                ["DatabaseHealth", "Instants", "Postgres", "ServiceKit", "TestSupport", logging]),
            tests("MQTT", ["Backoff", "BrokerControl", "MQTT", "MQTTFleet", "TestSupport"]),
            tests(
                "ServiceKit",
                ["Backoff", "Instants", "ServiceKit", asyncHTTPClient, lifecycle, logging, nioCore, nioHTTP1]),
            // The rights of each service, and what services do to one another, are shown with the statements of them all.
            .testTarget(
                name: "StoreTests",
                dependencies: [
                    "Gateway", "Ingestor", "Instants", "Notifier", "Operator", "Postgres", "Routes", "RulesEngine",
                    "Stations", "SensorThings", "Store", "TestSupport", "WaterQuality",
                ],
                path: "Tests/Store", exclude: ["Lineage/schema-46.sql"], swiftSettings: strict),
            tests("Secrets", ["Instants", "Secrets", "TestSupport", crypto]),
            tests("PushTargets", ["PushTargets"]),
            tests(
                "PushClient",
                [
                    "Instants", "PushClient", "PushTargets", "Secrets", "TestSupport", asyncHTTPClient, nioHTTP1,
                    nioSSL,
                ]),
            tests("Mail", ["Mail", "ServiceKit", "TestSupport", "Words"], exclude: ["Server"]),
            tests("Messaging", ["Mail", "Messaging", "PushClient", "TestSupport", "WaterQuality", "Words"]),
            tests(
                "Webhooks",
                ["Instants", "Messaging", "Secrets", "Store", "TestSupport", "WaterQuality", "Webhooks", "Words"],
                exclude: ["receivers.py"]),
            tests("Stations", ["Instants", "PushTargets", "Routes", "Stations", "TestSupport", "WaterQuality"]),
            tests("WebPush", ["Instants", "PushTargets", "Secrets", "TestSupport", "WebPush", crypto]),
            tests("Words", ["Words"]),
            tests("People", ["People", "Secrets", "WaterQuality", "Words"]),
            tests("Routes", ["Instants", "Routes", "TestSupport", "Words", httpTypes]),
            tests("SensorThings", ["Instants", "SensorThings", "TestSupport", "WaterQuality"]),
            tests("PublicHTTP", ["PublicHTTP", "PushTargets", "TestSupport", httpTypes]),
            tests(
                "Gateway",
                [
                    "aqua-gateway", "Gateway", "Instants", "Mail", "Messaging", "People", "Postgres", "PublicHTTP",
                    "PushClient", "PushTargets",
                    "Routes", "Secrets", "SensorThings", "ServiceKit", "Stations", "Store", "TestSupport",
                    "WaterQuality",
                    "WebPush", "Words", asyncHTTPClient, crypto,
                    httpTypes, hummingbird, jwtKit, lifecycle, logging, nioCore, nioHTTP1, nioPosix, nioSSL, nioTLS,
                ], exclude: ["OpenID/Server", "SensorThings/clients.py"]),
            tests(
                "Ingestor",
                [
                    "aqua-ingestor", "BrokerControl", "Ingestor", "Instants", "MQTT", "MQTTFleet", "Postgres",
                    "PublicHTTP", "PushClient", "PushTargets", "Routes", "Secrets", "ServiceKit", "Stations", "Store",
                    "TestSupport", "WaterQuality", "Words",
                    asyncHTTPClient, lifecycle, logging, nioCore, nioHTTP1,
                ]),
            tests(
                "RulesEngine",
                [
                    "Ingestor", "Instants", "Postgres", "RulesEngine", "ServiceKit", "Store", "TestSupport",
                    "WaterQuality",
                    lifecycle, logging,
                ]),
            tests(
                "Notifier",
                [
                    "Instants", "Mail", "Messaging", "Notifier", "Postgres", "PushClient", "PushTargets", "Secrets",
                    "ServiceKit",
                    "Store", "TestSupport", "WaterQuality", "Webhooks", "WebPush", "Words", "aqua-notifier", crypto,
                    cryptoExtras,
                    lifecycle,
                    logging,
                ]),
            tests(
                "Operator",
                [
                    "aqua", "BrokerControl", "Instants", "Mail", "MQTT", "MQTTFleet", "Operator", "People", "Postgres",
                    "PublicHTTP",
                    "Secrets", "ServiceKit", "Store", "TestSupport", "WaterQuality", "WebPush", "Words", crypto,
                    logging,
                ]),
            tests(
                "Rehearsal",
                [
                    "aqua", "aqua-rehearsal", "Instants", "MQTT", "MQTTFleet", "Operator", "PushClient", "Rehearsal",
                    "Secrets", "ServiceKit", "TestSupport", "WaterQuality", argumentParser, asyncHTTPClient, nioCore,
                    nioHTTP1,
                ]),
            .testTarget(
                name: "TestSupportTests",
                dependencies: [
                    "Mail", "Messaging", "PushClient", "TestSupport", "WaterQuality", "Words", "aqua-bench",
                    argumentParser, nioCore, nioHPACK, nioPosix,
                ],
                path: "Tests/TestSupportTests", swiftSettings: strict),
            .testTarget(
                name: "ChaosTests",
                dependencies: ["Chaos", "TestSupport", "aqua-chaos"] + serviceExecutables,
                path: "Tests/ChaosTests", swiftSettings: strict),
            .testTarget(
                name: "ObservabilityTests",
                dependencies: ["TestSupport", asyncHTTPClient, nioCore, nioHTTP1] + serviceExecutables,
                path: "Tests/Observability", exclude: ["Rules"], swiftSettings: strict),
            // Nothing of the product among its imports: what the rules are, it says by itself.
            .testTarget(
                name: "ReferenceTests", dependencies: ["TestSupport"] + serviceExecutables, path: "Tests/Reference",
                swiftSettings: strict),
            .testTarget(
                name: "AcceptanceTests",
                dependencies: [
                    "aqua-rehearsal", "Instants", "MQTT", "MQTTFleet", "Postgres", "Secrets", "Store", "TestSupport",
                ] + serviceExecutables,
                path: "Tests/Acceptance", exclude: ["Series"], swiftSettings: strict),
        ]
        + fuzzing([
            "Gateway", "Ingestor", "Instants", "MQTT", "Mail", "Notifier", "Operator", "People", "PushClient",
            "PushTargets",
            "Routes", "RulesEngine", "Secrets", "SensorThings", "ServiceKit", "Stations", "Store", "WaterQuality",
            "Webhooks",
            "Words",
        ]),
    cLanguageStandard: .c2x
)
