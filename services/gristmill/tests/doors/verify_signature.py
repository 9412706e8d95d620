"""Verifies signed messages with an independent implementation of RFC 9421; reads them as JSON from standard input.

{"request": {"url", "headers"}, "directory": {"url", "headers", "body"}}
"""

import base64
import datetime
import hashlib
import json
import sys

import requests
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from http_message_signatures import HTTPMessageVerifier, HTTPSignatureKeyResolver, algorithms

given = json.load(sys.stdin)
keys = json.loads(given["directory"]["body"])["keys"]
(jwk,) = keys
assert set(jwk) >= {"kty", "crv", "x", "kid"} and (jwk["kty"], jwk["crv"]) == ("OKP", "Ed25519"), jwk
canonical = json.dumps({"crv": jwk["crv"], "kty": jwk["kty"], "x": jwk["x"]}, separators=(",", ":"), sort_keys=True)
thumbprint = base64.urlsafe_b64encode(hashlib.sha256(canonical.encode()).digest()).rstrip(b"=").decode()
assert thumbprint == jwk["kid"], (thumbprint, jwk)


class Resolver(HTTPSignatureKeyResolver):
    def resolve_public_key(self, key_id):
        assert key_id == jwk["kid"], key_id
        return Ed25519PublicKey.from_public_bytes(base64.urlsafe_b64decode(jwk["x"] + "=="))


def verified(message, tag):
    verifier = HTTPMessageVerifier(signature_algorithm=algorithms.ED25519, key_resolver=Resolver())
    (result,) = verifier.verify(message, max_age=datetime.timedelta(minutes=5), expect_tag=tag)
    return result


request = requests.Request("GET", given["request"]["url"], headers=given["request"]["headers"]).prepare()
result = verified(request, "web-bot-auth")
assert '"@authority"' in result.covered_components and '"signature-agent"' in result.covered_components, result
assert result.parameters["keyid"] == jwk["kid"] and result.parameters["tag"] == "web-bot-auth", result

request.headers["Signature-Agent"] = '"https://impostor.example"'
try:
    verified(request, "web-bot-auth")
    raise AssertionError("a message that was changed is verified")
except AssertionError:
    raise
except Exception:
    pass

answer = requests.Response()
answer.headers.update(given["directory"]["headers"])
answer.status_code = 200
answer.request = requests.Request("GET", given["directory"]["url"]).prepare()
assert "http-message-signatures-directory" in answer.headers["Signature-Input"]
assert answer.headers["Content-Type"] == "application/http-message-signatures-directory+json"
result = verified(answer, "http-message-signatures-directory")
assert any("@authority" in name for name in result.covered_components), result
print("ok")
