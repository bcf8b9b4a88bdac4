"""What does an informer tell while its server comes and goes? One line of JSON for each."""

import json
import logging
import sys
import threading

from kubernetes import client, config
from kubernetes.informer import ADDED, DELETED, ERROR, MODIFIED, SharedInformer

logging.disable(logging.CRITICAL)
config.load_kube_config()


def tell(kind, one):
    # An error may be any exception; an object has a name.
    name = one.metadata.name if hasattr(one, 'metadata') else getattr(one, 'status', None)
    print(json.dumps({'type': kind, 'name': name}), flush=True)


[namespace] = sys.argv[1:]
informer = SharedInformer(client.CoreV1Api().list_namespaced_config_map, namespace=namespace)
for kind in (ADDED, MODIFIED, DELETED, ERROR):
    informer.add_event_handler(kind, lambda one, kind=kind: tell(kind, one))
informer.start()
threading.Event().wait()
