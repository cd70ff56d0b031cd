#!/usr/bin/env python3
"""Opens collections of a gateway as layers of QGIS, without a screen: qgis.py ROOT TOKEN COLLECTION...

Prints of each how many features it has, and how many in a box."""

import os
import sys

os.environ["QT_QPA_PLATFORM"] = "offscreen"

from qgis.core import QgsApplication, QgsDataSourceUri, QgsFeatureRequest, QgsRectangle, QgsVectorLayer  # noqa: E402

root, token, *collections = sys.argv[1:]
application = QgsApplication([], False)
application.initQgis()
for collection in collections:
    source = QgsDataSourceUri()
    for key, value in [("url", root), ("typename", collection), ("username", "anybody"), ("password", token)]:
        source.setParam(key, value)
    layer = QgsVectorLayer(source.uri(False), collection, "OAPIF")
    assert layer.isValid(), (collection, layer.error().summary())
    features = list(layer.getFeatures())
    inside = list(layer.getFeatures(QgsFeatureRequest().setFilterRect(QgsRectangle(15, 49, 16, 50))))
    print(collection, len(features), len(inside), flush=True)
# Its own end crashes at times.
os._exit(0)
