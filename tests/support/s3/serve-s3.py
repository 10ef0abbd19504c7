"""An S3 server for tests: OpenStack Swift with its s3api. Its four servers run in one process, on this machine alone.

Usage: serve-s3.py FOLDER. Prints the port once it serves. Ends with its standard input.
"""

import json
import os
import sys

import eventlet
from eventlet import wsgi

FOLDER = os.path.abspath(sys.argv[1])
ACCESS_KEY, SECRET_KEY = "test:tester", "testing"

SETTINGS = f"""
[DEFAULT]
swift_dir = {FOLDER}
devices = {FOLDER}/devices
mount_check = false
disable_fallocate = true
fallocate_reserve = 0
"""

PROXY = f"""
[DEFAULT]
swift_dir = {FOLDER}
[pipeline:main]
pipeline = catch_errors s3api tempauth slo proxy-server
[app:proxy-server]
use = egg:swift#proxy
allow_account_management = true
account_autocreate = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
[filter:tempauth]
use = egg:swift#tempauth
user_{ACCESS_KEY.replace(":", "_")} = {SECRET_KEY} .admin
[filter:slo]
use = egg:swift#slo
"""


def write(name, text):
    path = os.path.join(FOLDER, name)
    with open(path, "w") as file:
        file.write(text)
    return path


def make_ring(kind, port):
    builder = RingBuilder(part_power=1, replicas=1, min_part_hours=0)
    builder.add_dev({"region": 1, "zone": 1, "ip": "127.0.0.1", "port": port, "device": "disk", "weight": 1.0})
    builder.rebalance()
    builder.get_ring().save(os.path.join(FOLDER, f"{kind}.ring.gz"))


class Cache:
    """What swift asks of memcached."""

    def __init__(self):
        self.values = {}

    def get(self, key, **_):
        return self.values.get(key)

    def set(self, key, value, **_):
        # As memcached returns it.
        self.values[key] = json.loads(json.dumps(value))

    def delete(self, key, **_):
        self.values.pop(key, None)


cache = Cache()


def serve(socket, config):
    app = loadapp(config, global_conf={"log_name": "swift"})

    def cached(env, start_response):
        env["swift.cache"] = cache
        return app(env, start_response)

    # The SDK wants ETag, not Etag.
    server = {"protocol": SwiftHttpProtocol, "capitalize_response_headers": False, "log": NullLogger()}
    eventlet.spawn(wsgi.server, socket, cached, **server)


# Nothing here outlives the tests.
os.fsync = os.fdatasync = lambda _: None
os.makedirs(os.path.join(FOLDER, "devices", "disk"))
write("swift.conf", "[swift-hash]\nswift_hash_path_suffix = tests\n")

from swift.common import utils  # noqa: E402  (it reads swift.conf while it is imported)

utils.set_swift_dir(FOLDER)
utils.eventlet_monkey_patch()

from swift.common.ring import RingBuilder  # noqa: E402
from swift.common.utils import NullLogger  # noqa: E402
from swift.common.wsgi import SwiftHttpProtocol, loadapp  # noqa: E402

for kind in ("account", "container", "object"):
    listening = eventlet.listen(("127.0.0.1", 0))
    make_ring(kind, listening.getsockname()[1])
    serve(listening, write(f"{kind}.conf", f"{SETTINGS}\n[app:main]\nuse = egg:swift#{kind}\n"))

listening = eventlet.listen(("127.0.0.1", 0))
serve(listening, write("proxy.conf", PROXY))
print(listening.getsockname()[1], flush=True)
eventlet.tpool.execute(sys.stdin.read)
