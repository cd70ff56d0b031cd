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

// A pin that measures half the voltage of a lithium cell, for a device that lives of one.
// #define BATTERY_PIN 35

// A screen of 128 by 64 (SSD1306 on I2C), a light, a buzzer and a button, for devices whose owner lets them show what they see. Without the
// address there are none.
// #define DISPLAY_ADDRESS 0x3C
#define BUTTON_PIN 0
#define LIGHT_PIN 2
#define BUZZER_PIN 15
