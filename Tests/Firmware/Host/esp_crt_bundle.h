// Stands in for the authorities that ESP-IDF knows.
#pragma once

inline int esp_crt_bundle_attach(void *) { return 0; }
