// Stands in for esp-mqtt with CONFIG_MQTT_PROTOCOL_5, as far as the sketch uses it, with the same names; host.cpp speaks MQTT
// by libmosquitto.
#pragma once

#include <cstddef>
#include <cstdint>

typedef const char *esp_event_base_t;
typedef struct esp_mqtt_client *esp_mqtt_client_handle_t;
typedef void (*esp_event_handler_t)(void *, esp_event_base_t, int32_t, void *);

enum esp_mqtt_event_id_t { MQTT_EVENT_ANY = -1, MQTT_EVENT_ERROR, MQTT_EVENT_CONNECTED, MQTT_EVENT_DISCONNECTED, MQTT_EVENT_DATA = 6 };
enum esp_mqtt_error_type_t { MQTT_ERROR_TYPE_CONNECTION_REFUSED = 2 };

struct esp_mqtt_error_codes_t {
    esp_mqtt_error_type_t error_type;
};
enum esp_mqtt_protocol_ver_t { MQTT_PROTOCOL_V_5 = 5 };

struct esp_mqtt5_event_property_t {
    void *correlation_data;
    uint16_t correlation_data_len;
};

struct esp_mqtt_event_t {
    const char *topic, *data;
    int topic_len, data_len, total_data_len;
    bool retain;
    esp_mqtt5_event_property_t *property;
    esp_mqtt_error_codes_t *error_handle;
};
typedef esp_mqtt_event_t *esp_mqtt_event_handle_t;

struct esp_mqtt_client_config_t {
    struct {
        struct { const char *uri; } address;
        struct {
            const char *certificate;
            int (*crt_bundle_attach)(void *);
        } verification;
    } broker;
    struct {
        const char *username, *client_id;
        struct { const char *password; } authentication;
    } credentials;
    struct {
        struct { const char *topic, *msg; int msg_len, qos, retain; } last_will;
        int keepalive;
        esp_mqtt_protocol_ver_t protocol_ver;
    } session;
    struct { int size; } buffer;
    struct { uint64_t limit; } outbox;
};

struct esp_mqtt5_publish_property_config_t {
    const char *response_topic, *correlation_data;
    uint16_t correlation_data_len;
};

esp_mqtt_client_handle_t esp_mqtt_client_init(const esp_mqtt_client_config_t *);
int esp_mqtt_client_register_event(esp_mqtt_client_handle_t, esp_mqtt_event_id_t, esp_event_handler_t, void *);
int esp_mqtt_client_start(esp_mqtt_client_handle_t);
int esp_mqtt_client_destroy(esp_mqtt_client_handle_t);
int esp_mqtt_client_subscribe(esp_mqtt_client_handle_t, const char *topic, int qos);
int esp_mqtt_client_publish(esp_mqtt_client_handle_t, const char *topic, const char *data, int length, int qos, int retain);
int esp_mqtt5_client_set_publish_property(esp_mqtt_client_handle_t, const esp_mqtt5_publish_property_config_t *);
