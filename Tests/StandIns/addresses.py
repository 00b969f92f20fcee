"""Writes a database of network addresses: addresses.py FILE.mmdb LATITUDE LONGITUDE RADIUS NETWORK…"""
import sys

import mmdb_writer
import netaddr

path, latitude, longitude, radius, *networks = sys.argv[1:]
writer = mmdb_writer.MMDBWriter(6, "GeoIP2-City", ipv4_compatible=True, float_type="f64")
location = {"latitude": float(latitude), "longitude": float(longitude), "accuracy_radius": int(radius)}
writer.insert_network(netaddr.IPSet(networks), {"location": location, "city": {"names": {"en": "Somewhere"}}})
writer.to_db_file(path)
