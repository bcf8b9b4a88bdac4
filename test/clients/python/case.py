"""How do the tests speak to the API? Through the library alone, each in a namespace of its own."""

import contextlib
import json
import threading
import unittest

from kubernetes import client, config
from kubernetes.client.exceptions import ApiException

config.load_kube_config()

MERGE = 'application/merge-patch+json'
STRATEGIC = 'application/strategic-merge-patch+json'
JSON = 'application/json-patch+json'
APPLY = 'application/apply-patch+yaml'


class ApiCase(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.core = client.CoreV1Api()
        made = self.core.create_namespace({'metadata': {'generateName': 'python-'}})
        self.namespace = made.metadata.name
        self.addCleanup(self.core.delete_namespace, self.namespace)

    def make_map(self, name, data=None, **metadata):
        body = {'metadata': {'name': name, **metadata}, 'data': data or {}}
        return self.core.create_namespaced_config_map(self.namespace, body)

    def names(self, **asked):
        return [one.metadata.name for one in self.maps(**asked).items]

    def maps(self, **asked):
        return self.core.list_namespaced_config_map(self.namespace, **asked)

    @contextlib.contextmanager
    def refused(self, code, reason):
        """Gives the Status of the refusal, once it is there."""
        status = {}
        with self.assertRaises(ApiException) as caught:
            yield status
        status.update(json.loads(caught.exception.body))
        self.assertEqual((caught.exception.status, status['reason']), (code, reason))
        self.assertEqual((status['kind'], status['code']), ('Status', code))


def later(seconds, work):
    """While this thread reads a stream."""
    timer = threading.Timer(seconds, work)
    timer.start()
    return timer
