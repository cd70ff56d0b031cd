import Instants
import Routes

/// Values of the Geological Survey's former service of instantaneous values, WaterML 1.1 written as JSON
/// (https://waterservices.usgs.gov/docs/instantaneous-values/).
enum USGSInstantaneous {
    static func url(_ origin: String, _ number: String, _ window: StationWindow) -> String {
        "\(origin)/nwis/iv/?format=json&siteStatus=all&sites=\(number)&parameterCd=\(SurveyCodes.list)"
            + "&startDT=\(window.from.iso8601)" + (window.to.map { "&endDT=\($0.iso8601)" } ?? "")
    }

    static func read(
        _ body: [UInt8], _ number: String, _ choice: StationChoice
    ) throws(StationFault) -> StationAnswer {
        guard let series = (try? JSON(reading: body))?["value"]?["timeSeries"]?.array else { throw .unreadable }
        var title: String?
        var codes: [String: String] = [:]
        var numbers: [String: [(time: Timestamp, number: Double)]] = [:]
        var skipped = 0
        for one in series {
            guard let source = one["sourceInfo"], source["siteCode"]?[0]?["value"]?.string == number,
                let variable = one["variable"], let code = variable["variableCode"]?[0]?["value"]?.string,
                let methods = one["values"]?.array
            else { throw .unreadable }
            title = title ?? source["siteName"]?.string
            let missing = variable["noDataValue"]?.number ?? SurveyCodes.missing
            // Several sensors for one quantity, at several depths, are told apart by their methods alone.
            for method in methods {
                let id = code + (method["method"]?[0]?["methodID"]?.integer.map { ":\($0)" } ?? "")
                codes[id] = code
                for value in method["value"]?.array ?? [] {
                    guard let time = value["dateTime"]?.string.flatMap({ Timestamp($0) }) else { throw .unreadable }
                    guard let found = value["value"]?.string.flatMap(SurveyCodes.number), found != missing else {
                        skipped += 1
                        continue
                    }
                    numbers[id, default: []].append((time, found))
                }
            }
        }
        return StationAnswer(title: title, SurveyCodes.ordered(codes), numbers, choice, skipped: skipped)
    }
}
