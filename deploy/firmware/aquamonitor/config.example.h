// Copy this file to config.h and correct the pins. The network, the broker, the id and the key are not here: the device is given them over USB or
// on its set-up page (deploy/DEVICES.md).
#pragma once

#define PROBE_PIN 4
#define READING_INTERVAL_MS 30000

// Held for ten seconds it opens the set-up page, held for twenty it has the device forget its network, its broker, its key and what
// it measured. BOOT on most boards.
#define BUTTON_PIN 0

// A pin that measures half the voltage of a lithium cell, for a device that lives of one.
// #define BATTERY_PIN 35

// A screen of 128 by 64 (SSD1306 on I2C), a light and a buzzer, for devices whose owner lets them show what they see; the button answers then, too.
// Without the address there are none.
// #define DISPLAY_ADDRESS 0x3C
#define LIGHT_PIN 2
#define BUZZER_PIN 15
