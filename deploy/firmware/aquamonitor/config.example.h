// Copy this file to config.h and fill in what `aqua device add DEVICE --firmware native` prints.
#pragma once

#define WIFI_NAME "my network"
#define WIFI_PASSWORD "its password"

#define BROKER_URI "mqtts://mqtt.example.org:8883"
#define DEVICE_ID "pond-1"
#define DEVICE_KEY "the MQTT password"

// ca.pem of the broker.
#define BROKER_AUTHORITY \
    "-----BEGIN CERTIFICATE-----\n" \
    "...\n" \
    "-----END CERTIFICATE-----\n"

#define PROBE_PIN 4
#define READING_INTERVAL_MS 30000
