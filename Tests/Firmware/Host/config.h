// The settings that a person enters, taken from the environment.
#pragma once

#include <cstdint>
#include <cstdlib>

#define WIFI_NAME ""
#define WIFI_PASSWORD ""
#define BROKER_URI getenv("BROKER_URI")
#define DEVICE_ID getenv("DEVICE_ID")
#define DEVICE_KEY getenv("DEVICE_KEY")
#define BROKER_AUTHORITY getenv("BROKER_AUTHORITY_FILE")
#define PROBE_PIN 4
// The interval grows long once the sketch has measured often enough.
uint32_t readingInterval();
#define READING_INTERVAL_MS readingInterval()
#define DISPLAY_ADDRESS 0x3C
#define BUTTON_PIN 0
#define LIGHT_PIN 2
#define BUZZER_PIN 15
