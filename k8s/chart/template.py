"""Makes a template for Helm of what kustomize builds: reads YAML from standard input, writes the template."""

import re
import sys

VALUES = [
    (r"^(\s*namespace:) gristmill$", r"\1 {{ .Release.Namespace }}"),
    (r"^(\s*(?:- )?image:) gristmill:\S+$", r"\1 {{ .Values.image }}"),
    (r"^(\s*GRISTMILL__LOG__KAFKA__BROKERS:) \S+$", r"\1 {{ .Values.kafka.brokers }}"),
    (r"^(\s*GRISTMILL__LOG__PARTITIONS:) \S+$", r"\1 {{ .Values.partitions | quote }}"),
]

documents = sys.stdin.read().split("\n---\n")
# Helm makes the namespace, where it is asked to.
kept = [document for document in documents if not re.search(r"^kind: Namespace$", document, re.M)]
assert len(kept) == len(documents) - 1, "one namespace"
text = "\n---\n".join(kept)
# What looks like a template is none.
text = re.sub(r"\{\{|\}\}", lambda found: "{{ `" + found[0] + "` }}", text)
for pattern, value in VALUES:
    text, found = re.subn(pattern, value, text, flags=re.M)
    assert found, f"nothing matches {pattern}"
print(text)
