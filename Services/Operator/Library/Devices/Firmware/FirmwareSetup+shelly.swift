extension FirmwareSetup {
    var shelly: String {
        """
        In the web page of a Shelly Plus, Pro or Gen3 with the Sensor Add-On:
          Add-on                     each DS18B20 is added: temperature (100), temperature (101), ...
          Settings, TLS configuration
            Custom CA                ca.pem
          Settings, MQTT
            Connection type          TLS with the user's CA (user_ca.pem)
            Server                   \(broker.host):\(broker.port)
            Client ID                \(device)
            Username                 \(device)
            Password                 \(key)
            MQTT prefix              \(root)/shelly
            RPC status notifications over MQTT   on
            Generic status update over MQTT      off
            MQTT Control, RPC over MQTT          off: nobody has to switch it from here
        It reports changes alone. So that it reports each minute, add this under Scripts, and have it run on startup:
          Timer.set(60000, true, function () {
            let sys = Shelly.getComponentStatus("sys"), wifi = Shelly.getComponentStatus("wifi");
            let params = { ts: sys.unixtime, wifi: { rssi: wifi.rssi } };
            params.sys = { ver: Shelly.getDeviceInfo().ver, uptime: sys.uptime, reset_reason: sys.reset_reason };
            for (let id = 100; id < 108; id++) {
              let probe = Shelly.getComponentStatus("temperature:" + id);
              if (probe) params["temperature:" + id] = probe;
            }
            let report = JSON.stringify({ method: "NotifyFullStatus", params: params });
            if (MQTT.isConnected()) MQTT.publish("\(root)/shelly/events/rpc", report, 1, false);
          });
        Of several probes the first counts; aqua device probe \(device) shows and names it, by its number: 100, 101, ...
        """
    }

    var shellyGen1: String {
        """
        A Shelly of the first generation (Shelly 1, 1PM with the Temperature Sensor AddOn) speaks neither TLS nor our topics, so it
        stays with a broker at home, which passes its probes on. In the Shelly's web page, Internet & Security, Advanced - Developer
        settings: enable MQTT, with that broker and its user. This ends the Shelly's connection to its maker's cloud.
        In that Mosquitto's configuration, with the Shelly's MQTT name, such as shelly1-A4CF12F3A1B2, for NAME and ca.pem beside it:
        \(bridge)
          topic "" out 1 shellies/NAME/ext_temperatures \(root)/shelly/ext_temperatures
          topic "" out 1 shellies/NAME/online \(root)/shelly/online
          topic "" out 1 shellies/NAME/info \(root)/shelly/info
        Of several probes the first counts; aqua device probe \(device) shows and names it.
        """
    }
}
