// AquaMonitor on an ESP32 with a DS18B20: publishes the temperature, and keeps each reading in flash until the server has
// committed it. See deploy/DEVICES.md for the contract, and platformio.ini for how to build it.
//
// The client is esp-mqtt, because a commit receipt needs MQTT 5 (Response Topic, Correlation Data) with QoS 1. PubSubClient
// publishes with QoS 0 only; espMqttClient and 256dpi/arduino-mqtt speak MQTT 3.1.1. esp-mqtt's own outbox is in RAM and
// gives up after 30 s, so that the queue is ours.
#include <Arduino.h>
#include <DallasTemperature.h>
#include <LittleFS.h>
#include <OneWire.h>
#include <Preferences.h>
#include <WiFi.h>
#include <esp_crt_bundle.h>
#include <esp_system.h>
#include <esp_timer.h>
#include <mqtt_client.h>
#include <sys/time.h>

#include <mutex>

#include "Button.h"
#include "Display.h"
#include "Life.h"
#include "Radio.h"
#include "ReadingQueue.h"
#include "config.h"

#ifdef DISPLAY_ADDRESS
#include <Adafruit_SSD1306.h>
#include <Wire.h>
#endif

static void connect();
static const char *brokerWord();
static Preferences kept;
static aqua::Radio radio(kept, connect, brokerWord);
static aqua::Provisioner provisioner(radio);
static aqua::AccessPoint accessPoint(radio, provisioner);
static aqua::Window accessWindow;
// Held for ten seconds, the button opens the access point; for twenty, the device forgets its network, its broker, its key and what it measured.
static aqua::Button opening(10000), forgetting(20000);

static std::string readingsTopic, statusTopic, receiptsTopic, displayTopic, buttonTopic, brokerAddress, authority;

// LittleFS below one directory.
class LittleFlash : public aqua::Flash {
public:
    std::vector<std::string> list() override {
        std::vector<std::string> names;
        File directory = LittleFS.open("/queue");
        for (File file = directory.openNextFile(); file; file = directory.openNextFile()) names.push_back(file.name());
        return names;
    }

    bool append(const std::string &name, const std::string &text) override {
        File file = LittleFS.open(path(name).c_str(), FILE_APPEND);
        if (!file) return false;
        bool isWhole = file.write(reinterpret_cast<const uint8_t *>(text.data()), text.size()) == text.size();
        file.close();
        return isWhole;
    }

    std::string read(const std::string &name) override {
        std::string text;
        File file = LittleFS.open(path(name).c_str(), FILE_READ);
        if (!file) return text;
        text.resize(file.size());
        text.resize(file.read(reinterpret_cast<uint8_t *>(&text[0]), text.size()));
        file.close();
        return text;
    }

    void remove(const std::string &name) override { LittleFS.remove(path(name).c_str()); }

private:
    static std::string path(const std::string &name) { return "/queue/" + name; }
};

static LittleFlash flash;
static aqua::ReadingQueue queue(flash);
static OneWire wire(PROBE_PIN);
static DallasTemperature probes(&wire);
// nullptr until the device has settings.
static esp_mqtt_client_handle_t client;

// What the client's task tells the loop. Only the loop publishes: the properties of a message are set for the client, and
// another task's message would take them.
static std::mutex lock;
static std::vector<std::string> receipts;
static std::string arrivedDisplay;
static bool hasDisplayArrived = false, hasHeard = false;
static bool isConnected = false, isNewConnection = false, isRefused = false;

static void onEvent(void *, esp_event_base_t, int32_t id, void *data) {
    auto event = static_cast<esp_mqtt_event_handle_t>(data);
    std::lock_guard<std::mutex> guard(lock);
    switch (id) {
    case MQTT_EVENT_CONNECTED:
        isConnected = isNewConnection = true;
        isRefused = false;
        break;
    case MQTT_EVENT_DISCONNECTED:
        isConnected = false;
        break;
    case MQTT_EVENT_ERROR:
        // The broker knows no such device, or not by this key.
        isRefused = event->error_handle && event->error_handle->error_type == MQTT_ERROR_TYPE_CONNECTION_REFUSED;
        break;
    case MQTT_EVENT_DATA:
        if (event->topic && displayTopic.compare(0, std::string::npos, event->topic, event->topic_len) == 0) {
            if (event->data_len != event->total_data_len) break;
            arrivedDisplay.assign(event->data, event->data_len);
            hasDisplayArrived = true;
            // One that the broker has kept says nothing of who lives now.
            if (!event->retain) hasHeard = true;
            break;
        }
        // Stored, repeated or rejected: after any of them the reading may go.
        if (!event->property || event->property->correlation_data_len == 0) break;
        hasHeard = true;
        if (receipts.size() < 64)
            receipts.emplace_back(reinterpret_cast<const char *>(event->property->correlation_data), event->property->correlation_data_len);
        break;
    default: break;
    }
}

// The device's standing with its broker.
static const char *brokerWord() {
    std::lock_guard<std::mutex> guard(lock);
    return !client ? "none" : isConnected ? "connected" : isRefused ? "refused" : "trying";
}

// Connects by the settings that hold, in place of a connection by earlier ones. The client copies what it is given, except for the authority, which
// stays as it is for as long as there is a client.
static void connect() {
    if (client) {
        esp_mqtt_client_destroy(client);
        std::lock_guard<std::mutex> guard(lock);
        client = nullptr;
        isConnected = isNewConnection = isRefused = false;
        receipts.clear();
    }
    const aqua::Settings &settings = radio.settings;
    if (settings.isEmpty()) return;
    queue.forgetSent();
    std::string root = "aqua/v1/" + settings.id;
    if (!readingsTopic.empty() && readingsTopic != root + "/readings") queue.clear();
    readingsTopic = root + "/readings";
    statusTopic = root + "/status";
    receiptsTopic = root + "/receipts";
    displayTopic = root + "/display";
    buttonTopic = root + "/button";
    brokerAddress = settings.address();
    esp_mqtt_client_config_t config = {};
    config.broker.address.uri = brokerAddress.c_str();
    authority = settings.authority;
    if (!authority.empty()) config.broker.verification.certificate = authority.c_str();
    else if (settings.isSecure) config.broker.verification.crt_bundle_attach = esp_crt_bundle_attach;
    config.credentials.client_id = settings.id.c_str();
    config.credentials.username = settings.id.c_str();
    config.credentials.authentication.password = settings.key.c_str();
    config.session.protocol_ver = MQTT_PROTOCOL_V_5;
    config.session.keepalive = 60;
    config.session.last_will.topic = statusTopic.c_str();
    config.session.last_will.msg = "offline";
    config.session.last_will.qos = 1;
    config.session.last_will.retain = 1;
    // Room for what the device shows, which has 1 KiB, in one piece.
    config.buffer.size = 2048;
    config.outbox.limit = 16 * 1024;
    client = esp_mqtt_client_init(&config);
    esp_mqtt_client_register_event(client, MQTT_EVENT_ANY, onEvent, nullptr);
    esp_mqtt_client_start(client);
}

// Unix seconds; 0 before the first answer of a time server.
static timeval clockTime() {
    timeval now;
    gettimeofday(&now, nullptr);
    return now.tv_sec < 1577836800 ? timeval{} : now;
}

// The same as text, with milliseconds; empty before that.
static std::string unixTime() {
    timeval now = clockTime();
    if (now.tv_sec == 0) return "";
    char text[32];
    snprintf(text, sizeof text, "%lld.%03ld", static_cast<long long>(now.tv_sec), static_cast<long>(now.tv_usec / 1000));
    return text;
}

static bool publish(const std::string &reading, const std::string &key) {
    esp_mqtt5_publish_property_config_t property = {};
    property.response_topic = receiptsTopic.c_str();
    property.correlation_data = key.data();
    property.correlation_data_len = key.size();
    esp_mqtt5_client_set_publish_property(client, &property);
    return esp_mqtt_client_publish(client, readingsTopic.c_str(), reading.data(), reading.size(), 1, 0) >= 0;
}

// Retained like the will, which takes its place.
static void publishStatus() {
    aqua::Life life;
    life.signal = WiFi.RSSI();
    life.uptime = esp_timer_get_time() / 1000000;
    life.reset = esp_reset_reason();
#ifdef BATTERY_PIN
    life.battery = aqua::Life::charge(2 * analogReadMilliVolts(BATTERY_PIN));
#endif
    esp_mqtt_client_publish(client, statusTopic.c_str(), life.status().c_str(), 0, 1, 1);
}

#ifdef DISPLAY_ADDRESS
// What the owner sees, on a screen, with a light, a buzzer and a button. It goes on without a network, by the limits that came last.
static Adafruit_SSD1306 screen(128, 64, &Wire, -1);
static aqua::Display shown;
static aqua::Hearing hearing;
static aqua::Button button;
static uint32_t run = 0, presses = 0;

static void beginDisplay() {
    run = esp_random();
    pinMode(LIGHT_PIN, OUTPUT);
    pinMode(BUZZER_PIN, OUTPUT);
    Wire.begin();
    screen.begin(SSD1306_SWITCHCAPVCC, DISPLAY_ADDRESS);
    shown.read(kept.getString("display", "").c_str());
}

// An empty message: the owner wants nothing shown any more.
static void show(const std::string &message) {
    std::string before = shown.settings();
    if (message.empty()) shown = aqua::Display();
    else if (!shown.read(message)) return;
    // Flash wears: values alone are not worth it.
    if (shown.settings() != before) kept.putString("display", message.c_str());
}

static void draw(aqua::Contact contact) {
    static uint32_t drawnAt = 0, page = 0;
    int64_t seconds = clockTime().tv_sec;
    aqua::Signals signals(shown, seconds, millis());
    digitalWrite(LIGHT_PIN, signals.light ? HIGH : LOW);
    digitalWrite(BUZZER_PIN, signals.buzzer ? HIGH : LOW);
    if (millis() - drawnAt < 500) return;
    drawnAt = millis();
    screen.clearDisplay();
    screen.setTextSize(1);
    screen.setTextColor(SSD1306_WHITE);
    int row = 0;
    // Ten times half a second for each page.
    auto lines = accessPoint.isOpen() ? radio.label() : aqua::Screen::lines(shown, contact, seconds, page++ / 10);
    for (const auto &line : lines) {
        screen.setCursor(0, 8 * row++);
        screen.print(line.c_str());
    }
    screen.display();
}

// A press counts while there is a connection: an hour later it would answer another alarm.
static void press(bool isOnline) {
    if (button.update(digitalRead(BUTTON_PIN) == LOW, millis()) && isOnline)
        esp_mqtt_client_publish(client, buttonTopic.c_str(), aqua::press(run, ++presses).c_str(), 0, 1, 0);
}
#endif

static void measure(bool isOnline) {
    probes.requestTemperatures();
    float temperature = probes.getTempCByIndex(0);
#ifdef DISPLAY_ADDRESS
    bool isServed = hearing.contact(isOnline, millis(), READING_INTERVAL_MS) == aqua::Contact::service;
    if (!isServed && temperature > -55 && temperature < 85) shown.take(temperature, clockTime().tv_sec);
#endif
    char value[64];
    // -127 and 85 are sent as well: the server tells a broken probe from warm water.
    snprintf(value, sizeof value, "\"readings\":{\"temperature\":%.2f}}", temperature);
    std::string time = unixTime();
    if (!time.empty() && queue.push("{\"time\":" + time + "," + value)) return;
    // Without a time a reading cannot be told from its repetition: it is sent once, now or not at all. Its receipt says only that the service lives.
    if (isOnline) publish(std::string("{") + value, "once");
}

// Over USB, at the button and through the access point.
static void setUp() {
    uint32_t now = millis();
    bool isDown = digitalRead(BUTTON_PIN) == LOW;
    if (opening.update(isDown, now)) accessWindow.open(now);
    if (forgetting.update(isDown, now)) {
        radio.forget();
        queue.clear();
        ESP.restart();
    }
    for (int left = 512; left > 0 && Serial.available() > 0; left--) provisioner.take(static_cast<uint8_t>(Serial.read()), now);
    provisioner.see(radio.isJoined());
    provisioner.tick(now);
    accessPoint.update(accessWindow.isOpen(!radio.settings.isEmpty(), now), brokerWord(), now);
}

void setup() {
    // A whole packet, while a probe is being measured.
    Serial.setRxBufferSize(1024);
    Serial.begin(115200);
    kept.begin("aquamonitor", false);
    pinMode(BUTTON_PIN, INPUT_PULLUP);
    LittleFS.begin(true);
    LittleFS.mkdir("/queue");
    queue.setRun(esp_random());
    queue.begin();
    probes.begin();
#ifdef DISPLAY_ADDRESS
    beginDisplay();
#endif
    radio.begin();
    configTime(0, 0, "pool.ntp.org");
    connect();
}

void loop() {
    setUp();
    static uint32_t measuredAt = millis() - READING_INTERVAL_MS, toldAt = 0;
    std::vector<std::string> arrived;
    std::string display;
    bool isOnline, isNew, hasDisplay, isHeard;
    {
        std::lock_guard<std::mutex> guard(lock);
        arrived.swap(receipts);
        display.swap(arrivedDisplay);
        hasDisplay = hasDisplayArrived;
        isHeard = hasHeard;
        hasDisplayArrived = hasHeard = false;
        isOnline = isConnected;
        isNew = isNewConnection;
        isNewConnection = false;
    }
    if (isNew) {
        queue.forgetSent();
        esp_mqtt_client_subscribe(client, receiptsTopic.c_str(), 0);
        toldAt = millis() - aqua::Life::interval;
#ifdef DISPLAY_ADDRESS
        esp_mqtt_client_subscribe(client, displayTopic.c_str(), 0);
#endif
    }
#ifdef DISPLAY_ADDRESS
    if (isHeard) hearing.hear(millis());
    if (hasDisplay) show(display);
    press(isOnline);
    draw(hearing.contact(isOnline, millis(), READING_INTERVAL_MS));
#else
    (void)hasDisplay;
    (void)isHeard;
#endif
    if (isOnline && millis() - toldAt >= aqua::Life::interval) {
        toldAt = millis();
        publishStatus();
    }
    for (const auto &receipt : arrived) queue.acknowledge(receipt);
    if (millis() - measuredAt >= READING_INTERVAL_MS) {
        measuredAt = millis();
        measure(isOnline);
    }
    if (isOnline) queue.send(millis(), 16, 30000, [](const std::string &key, const std::string &reading) { return publish(reading, key); });
    delay(10);
}
