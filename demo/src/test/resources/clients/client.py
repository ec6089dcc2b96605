"""Sends one POST with one key through urllib3's Retry, and prints what came of it."""
import json
import sys

import urllib3

_, base, path, key = sys.argv[1:]
retries = urllib3.Retry(total=4, backoff_factor=0.1, status_forcelist=[409, 503], allowed_methods=None)
answer = urllib3.PoolManager(retries=retries).request(
    "POST",
    base + path,
    body=json.dumps({"amount": 1250}),
    headers={"Idempotency-Key": key, "Content-Type": "application/json"},
)
print(answer.status, answer.headers.get("Idempotent-Replayed"), json.loads(answer.data)["id"])
