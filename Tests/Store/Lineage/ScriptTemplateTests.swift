import Testing
import WaterQuality

@testable import Store

@Suite struct ScriptTemplateTests {
    @Test func aBlockIsRepeatedForEachParameter() {
        let template = """
            SELECT
                --% each parameter, joined by " +"
                (s.{column} IS NOT NULL)::integer * {bit}
                -- number {number}
                --% end
            FROM sample WHERE parameter <= {last} AND '{1,2}' <> '{}';
            """
        let rendered = """
            SELECT
                (s.ph IS NOT NULL)::integer * 2
                -- number 1 +
                (s.ammonia IS NOT NULL)::integer * 4
                -- number 2
            FROM sample WHERE parameter <= 2 AND '{1,2}' <> '{}';
            """
        #expect(ScriptTemplate.rendered(template, for: [.ph, .ammonia]) == rendered)
    }

    @Test func aBlockMayBeOfParametersWithoutAMinimum() {
        let template = """
            --% each parameter without a minimum, joined by ","
            {number} {least} {most} {unit} {colour}
            --% end
            """
        #expect(
            ScriptTemplate.rendered(template, for: [.ph, .ammonia, .orp, .nitrite])
                == "2 0 80 ppm green,\n4 0 80 ppm yellow")
    }
}
