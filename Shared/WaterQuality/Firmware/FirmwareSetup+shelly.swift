extension FirmwareSetup {
    var shelly: String {
        """
        TLS configuration
          Custom CA                ca.pem
        MQTT
          Connection type          TLS with the user's CA (user_ca.pem)
          Server                   \(broker.host):\(broker.port)
          Client ID                \(device)
          Username                 \(device)
          Password                 \(password)
          MQTT prefix              \(root)/shelly
          RPC status notifications over MQTT   on
          Generic status update over MQTT      off
          MQTT Control, RPC over MQTT          off
        """
    }

    /// Reports each minute; by itself a Shelly reports changes alone.
    var shellyScript: String {
        """
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
        """
    }

    var shellyGen1: String {
        """
        \(bridge)
        topic "" out 1 shellies/NAME/ext_temperatures \(root)/shelly/ext_temperatures
        topic "" out 1 shellies/NAME/online \(root)/shelly/online
        topic "" out 1 shellies/NAME/info \(root)/shelly/info
        """
    }
}
