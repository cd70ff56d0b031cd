"""Programs that know SensorThings and nothing of this service: the client named first on the command line reads what is behind an address."""

import sys

import requests

client, address, origin, token = sys.argv[1:5]

# The service's links begin with its public address, which leads nowhere in a test.
whole = requests.request


def request(method, url, **options):
    return whole(method, str(url).replace(origin, address, 1), **options)


requests.request = request

if client == "frost":
    import frost_sta_client as sta

    class Bearer(requests.auth.AuthBase):
        def __call__(self, call):
            call.headers["Authorization"] = f"Bearer {token}"
            return call

    class Handler(sta.AuthHandler):
        def add_auth_header(self):
            return Bearer()

    service = sta.SensorThingsService(f"{address}/sta/v1.1", auth_handler=Handler())
else:
    import staplus_client as sta
    from staplus_client.service.auth_handler import AuthHandler

    service = sta.STAplusService(f"{address}/sta/v1.1", auth_handler=AuthHandler(token))

query = service.things().query().count()
if client == "frost":
    query = query.expand("Locations,Datastreams($expand=ObservedProperty,Sensor)")
things = query.list()
assert things.count == 1, things.count
thing = things.entities[0]
print(thing.name, thing.properties["hardwareId"])
print(service.things().find(thing.id).description)
if client == "frost":
    locations, streams = thing.locations, thing.datastreams
else:
    # It makes lists of another class of what is expanded, and then refuses them.
    locations = thing.get_locations().query().list()
    streams = thing.get_datastreams().query().expand("ObservedProperty,Sensor").list()
for location in locations.entities:
    print(location.location["coordinates"])
for stream in streams.entities:
    print(stream.name, stream.unit_of_measurement.definition, stream.observed_property.name, stream.sensor.name)

stream = next(s for s in streams.entities if s.observed_property.id == 0)
pages = stream.get_observations().query().orderby("phenomenonTime", "asc").top(4).list()
print([observation.result for observation in pages])
first = pages.entities[0].phenomenon_time
found = stream.get_observations().query().filter(f"phenomenonTime gt {first} and result lt 23").orderby("result").list()
print([observation.result for observation in found])
one = service.observations().find(found.entities[0].id)
print(one.result, one.id == found.entities[0].id)
