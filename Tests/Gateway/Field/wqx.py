"""Builds WQX 3.0 documents of a table of results on standard input, by the library of others that knows its elements and rules. Prints what it finds."""

import csv
import sys
from datetime import datetime, timezone

from wqxlib import Document
from wqxlib.wqx_v3_0 import (
    Activity,
    ActivityDescription,
    ActivityLocation,
    DetectionQuantitationLimit,
    Measure,
    MeasureCompact,
    Organization,
    OrganizationDescription,
    Result,
    ResultDescription,
    ResultLabInformation,
    WQX,
    WQXTime,
)
from wqxlib.Payload import Payload


def activity(row):
    def cell(name):
        return row[name] or None

    def compact(value, unit):
        return MeasureCompact({"measureValue": cell(value), "measureUnitCode": cell(unit)}) if cell(value) else None

    assert cell("Activity Start Time Zone") == "UTC"
    begun = datetime.fromisoformat(f"{row['Activity Start Date']}T{row['Activity Start Time']}").replace(tzinfo=timezone.utc)
    limit = compact("Result Detection/Quantitation Limit Measure", "Result Detection/Quantitation Limit Unit")
    measure = {"resultMeasureValue": cell("Result Value"), "measureUnitCode": cell("Result Unit")}
    result = {
        "resultDescription": ResultDescription({
            "resultDetectionConditionText": cell("Result Detection Condition"),
            "characteristicName": cell("Characteristic Name"),
            "methodSpeciationName": cell("Method Speciation"),
            "resultSampleFractionText": cell("Result Sample Fraction"),
            "resultMeasure": Measure(measure),
            "resultStatusIdentifier": cell("Result Status ID"),
            "resultValueTypeName": cell("Result Value Type"),
            "resultTemperatureBasisText": cell("Result Temperature Basis"),
            "resultCommentText": cell("Result Comment"),
        }),
    }
    if limit:
        result["resultLabInformation"] = ResultLabInformation({
            "resultDetectionQuantitationLimit": [
                DetectionQuantitationLimit({
                    "detectionQuantitationLimitTypeName": cell("Result Detection/Quantitation Limit Type"),
                    "detectionQuantitationLimitMeasure": limit,
                })
            ],
        })
    return Activity({
        "activityDescription": ActivityDescription({
            "activityIdentifier": cell("Activity ID User Supplied (PARENTs)"),
            "activityTypeCode": cell("Activity Type"),
            "activityMediaName": cell("Activity Media Name"),
            "activityStartDate": begun.date(),
            "activityStartTime": WQXTime(begun),
            "activityDepthHeightMeasure": compact("Activity Depth/Height Measure", "Activity Depth/Height Unit"),
            "projectIdentifier": cell("Project ID"),
            "monitoringLocationIdentifier": cell("Monitoring Location ID"),
            "activityCommentText": cell("Activity Comment"),
        }),
        "activityLocation": ActivityLocation({
            "latitudeMeasure": cell("Activity Latitude"),
            "longitudeMeasure": cell("Activity Longitude"),
            "horizontalCollectionMethodName": cell("Activity Horizontal Collection Method"),
            "horizontalCoordinateReferenceSystemDatumName": cell("Activity Horizontal Coordinate Reference System Datum"),
        }),
        "results": [Result(result)],
    })


activities = [activity(row) for row in csv.DictReader(sys.stdin)]
organization = Organization({
    "organizationDescription": OrganizationDescription({"organizationIdentifier": "BOARD", "organizationFormalName": "Water board"}),
    "activity": activities,
})
document = Document({"payload": [Payload({"operation": "Update-Insert", "wqx": WQX({"organization": organization})})]})
for one in activities:
    one.activityDescription.generateXML("ActivityDescription")
    for result in one.results:
        result.generateXML("Result")
violations = document.list_rule_violations()
print(f"{len(activities)} results, {len(violations)} violations", *violations, sep="\n")
