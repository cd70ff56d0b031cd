// Runs the sketch on a computer: the stand-ins for its libraries, and a main that ends after READINGS measurements whose
// receipts have all come. The flash is the directory FLASH; measurements continue from FIRST. The settings are made of BROKER_HOST, BROKER_PORT,
// DEVICE_ID and DEVICE_KEY, as if somebody had set the device up.
#include <chrono>
#include <cstring>
#include <mosquitto.h>
#include <mqtt_protocol.h>
#include <random>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

#include "../../../deploy/firmware/aquamonitor/aquamonitor.ino"

// --- Arduino ---

uint32_t millis() {
    using namespace std::chrono;
    return static_cast<uint32_t>(duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count());
}

void delay(uint32_t milliseconds) { std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds)); }

uint32_t esp_random() { return std::random_device()(); }

static int measured = 0;
static int number(const char *variable) { return atoi(getenv(variable)); }

uint32_t readingInterval() { return measured < number("READINGS") ? 20 : UINT32_MAX; }

float DallasTemperature::getTempCByIndex(int) { return 10 + (number("FIRST") + measured++) * 0.01f; }

// --- Pins, screen, settings ---

// The button is down for three seconds once the screen has shown the text PRESS_AT.
static bool isPressed = false;
static uint32_t pressedAt = 0;
int digitalRead(int) { return isPressed && millis() - pressedAt < 3000 ? LOW : HIGH; }
void digitalWrite(int, int) {}

void Adafruit_SSD1306::display() {
    if (drawn == before) return;
    before = drawn;
    printf("shown %s\n", drawn.c_str());
    fflush(stdout);
    const char *text = getenv("PRESS_AT");
    bool isAsked = text && drawn.find(text) != std::string::npos;
    if (isAsked && !isPressed) pressedAt = millis();
    isPressed = isAsked;
}

static std::string settingsFile(const char *key) { return std::string(getenv("FLASH")) + "/settings-" + key; }

StoredText Preferences::getString(const char *key, const char *otherwise) {
    FILE *file = fopen(settingsFile(key).c_str(), "r");
    if (!file) return {otherwise};
    char text[2048];
    size_t count = fread(text, 1, sizeof text, file);
    fclose(file);
    return {std::string(text, count)};
}

size_t Preferences::putString(const char *key, const char *text) {
    bool isDrawn = strcmp(key, "access-key") == 0;
    if (isDrawn && (!WiFi.isOn || WiFi.isPersistent)) puts("drawn before the radio runs, or Wi-Fi is kept twice"), exit(1);
    FILE *file = fopen(settingsFile(key).c_str(), "w");
    fputs(text, file);
    fclose(file);
    return strlen(text);
}

bool Preferences::remove(const char *key) { return unlink(settingsFile(key).c_str()) == 0; }

// --- LittleFS ---

static std::string below(const char *path) { return std::string(getenv("FLASH")) + path; }

File::File(FILE *file, DIR *directory, std::string path, std::string name) : path(path), name_(name) {
    if (file) this->file.reset(file, fclose);
    if (directory) this->directory.reset(directory, closedir);
}

size_t File::size() {
    struct stat found;
    return stat(path.c_str(), &found) == 0 ? found.st_size : 0;
}

size_t File::read(uint8_t *bytes, size_t count) { return fread(bytes, 1, count, file.get()); }
size_t File::write(const uint8_t *bytes, size_t count) { return fwrite(bytes, 1, count, file.get()); }
void File::close() { file.reset(); }

File File::openNextFile() {
    while (dirent *entry = directory ? readdir(directory.get()) : nullptr)
        if (entry->d_name[0] != '.') return File(nullptr, nullptr, path + "/" + entry->d_name, entry->d_name);
    return File();
}

bool FileSystem::mkdir(const char *path) { return ::mkdir(below(path).c_str(), 0700) == 0; }
bool FileSystem::remove(const char *path) { return unlink(below(path).c_str()) == 0; }

File FileSystem::open(const char *path, const char *mode) {
    std::string full = below(path), name = full.substr(full.rfind('/') + 1);
    if (DIR *directory = opendir(full.c_str())) return File(nullptr, directory, full, name);
    FILE *file = fopen(full.c_str(), mode);
    return file ? File(file, nullptr, full, name) : File();
}

// --- esp-mqtt ---

struct esp_mqtt_client {
    mosquitto *connection;
    esp_event_handler_t handler;
    std::string response, correlation;
};

static void tell(void *client, esp_mqtt_event_id_t id, esp_mqtt_event_t event = {}) {
    static_cast<esp_mqtt_client *>(client)->handler(nullptr, "", id, &event);
}

static void connected(mosquitto *, void *client, int reason, int, const mosquitto_property *) {
    if (reason == 0) tell(client, MQTT_EVENT_CONNECTED);
}

static void disconnected(mosquitto *, void *client, int, const mosquitto_property *) { tell(client, MQTT_EVENT_DISCONNECTED); }

static void received(mosquitto *, void *client, const mosquitto_message *message, const mosquitto_property *properties) {
    esp_mqtt5_event_property_t property = {};
    mosquitto_property_read_binary(properties, MQTT_PROP_CORRELATION_DATA, &property.correlation_data, &property.correlation_data_len, false);
    esp_mqtt_event_t event = {
        message->topic, static_cast<const char *>(message->payload), static_cast<int>(strlen(message->topic)), message->payloadlen,
        message->payloadlen, message->retain, &property, nullptr};
    tell(client, MQTT_EVENT_DATA, event);
    free(property.correlation_data);
}

esp_mqtt_client_handle_t esp_mqtt_client_init(const esp_mqtt_client_config_t *config) {
    mosquitto_lib_init();
    auto client = new esp_mqtt_client();
    client->connection = mosquitto_new(config->credentials.client_id, true, client);
    mosquitto_int_option(client->connection, MOSQ_OPT_PROTOCOL_VERSION, MQTT_PROTOCOL_V5);
    mosquitto_username_pw_set(client->connection, config->credentials.username, config->credentials.authentication.password);
    auto will = config->session.last_will;
    mosquitto_will_set(client->connection, will.topic, strlen(will.msg), will.msg, will.qos, will.retain);
    mosquitto_reconnect_delay_set(client->connection, 1, 1, false);
    mosquitto_connect_v5_callback_set(client->connection, connected);
    mosquitto_disconnect_v5_callback_set(client->connection, disconnected);
    mosquitto_message_v5_callback_set(client->connection, received);
    return client;
}

int esp_mqtt_client_register_event(esp_mqtt_client_handle_t client, esp_mqtt_event_id_t, esp_event_handler_t handler, void *) {
    client->handler = handler;
    return 0;
}

int esp_mqtt_client_start(esp_mqtt_client_handle_t client) {
    mosquitto_connect_async(client->connection, getenv("BROKER_HOST"), number("BROKER_PORT"), 60);
    return mosquitto_loop_start(client->connection);
}

int esp_mqtt_client_destroy(esp_mqtt_client_handle_t client) {
    mosquitto_disconnect(client->connection);
    mosquitto_loop_stop(client->connection, false);
    mosquitto_destroy(client->connection);
    delete client;
    return 0;
}

int esp_mqtt_client_subscribe(esp_mqtt_client_handle_t client, const char *topic, int qos) {
    return mosquitto_subscribe(client->connection, nullptr, topic, qos) == 0 ? 1 : -1;
}

int esp_mqtt5_client_set_publish_property(esp_mqtt_client_handle_t client, const esp_mqtt5_publish_property_config_t *property) {
    client->response = property->response_topic;
    client->correlation.assign(property->correlation_data, property->correlation_data_len);
    return 0;
}

int esp_mqtt_client_publish(esp_mqtt_client_handle_t client, const char *topic, const char *data, int length, int qos, int retain) {
    mosquitto_property *properties = nullptr;
    if (!client->response.empty()) {
        mosquitto_property_add_string(&properties, MQTT_PROP_RESPONSE_TOPIC, client->response.c_str());
        mosquitto_property_add_binary(&properties, MQTT_PROP_CORRELATION_DATA, client->correlation.data(), client->correlation.size());
        client->response.clear();
    }
    int code = mosquitto_publish_v5(
        client->connection, nullptr, topic, length == 0 ? strlen(data) : length, data, qos, retain, properties);
    mosquitto_property_free_all(&properties);
    return code == MOSQ_ERR_SUCCESS ? 1 : -1;
}

// --- The computer ---

int main() {
    aqua::Settings settings;
    settings.host = getenv("BROKER_HOST");
    settings.port = static_cast<uint16_t>(number("BROKER_PORT"));
    settings.isSecure = false;
    settings.id = getenv("DEVICE_ID");
    settings.key = getenv("DEVICE_KEY");
    kept.putString("settings", settings.text().c_str());
    setup();
    while (measured < number("READINGS")) loop();
    printf("measured, %zu waiting\n", queue.waiting());
    fflush(stdout);
    while (queue.waiting() > 0) loop();
    puts("delivered");
    return 0;
}
