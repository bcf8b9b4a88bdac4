"""The dynamic client: everything it does rests on discovery."""

import os
import tempfile

from case import JSON, MERGE, ApiCase
from kubernetes import client
from kubernetes.dynamic import DynamicClient, EagerDiscoverer
from kubernetes.dynamic.exceptions import (
    ConflictError,
    NotFoundError,
    ResourceNotFoundError,
    UnprocessibleEntityError,
)

POOLS = {'api_version': 'metallb.io/v1beta1', 'kind': 'IPAddressPool'}


class Dynamic(ApiCase):
    def setUp(self):
        super().setUp()
        self.dynamic = self.discover()
        self.maps_of = self.dynamic.resources.get(api_version='v1', kind='ConfigMap')

    def discover(self, **asked):
        """It would keep what it finds in a file that all share."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        cache = os.path.join(folder.name, 'found.json')
        return DynamicClient(client.ApiClient(), cache_file=cache, **asked)

    def body(self, name, **data):
        return {
            'apiVersion': 'v1',
            'kind': 'ConfigMap',
            'metadata': {'name': name, 'labels': {'of': 'test'}},
            'data': data,
        }

    def create(self, name, **data):
        return self.maps_of.create(body=self.body(name, **data), namespace=self.namespace)

    def test_discovery(self):
        pools = self.dynamic.resources.get(**POOLS)
        self.assertEqual((pools.name, pools.namespaced), ('ipaddresspools', True))
        self.assertIn('status', pools.subresources)
        [services] = self.dynamic.resources.search(kind='Service')
        self.assertEqual((services.short_names, services.categories), (['svc'], ['all']))
        # Two versions are served, and one is preferred.
        self.assertEqual(len(self.dynamic.resources.search(kind='BGPPeer')), 2)
        preferred = self.dynamic.resources.get(kind='BGPPeer', preferred=True)
        self.assertIn(preferred.api_version, ('v1beta1', 'v1beta2'))
        with self.assertRaises(ResourceNotFoundError):
            self.dynamic.resources.get(api_version='v1', kind='Nothing')

    def test_all_at_once(self):
        eager = self.discover(discoverer=EagerDiscoverer)
        [addresses] = eager.resources.search(kind='Address')
        self.assertEqual((addresses.group, addresses.namespaced), ('berth.dev', False))
        self.assertIn('apps', eager.resources.api_groups)
        self.assertEqual(eager.version['kubernetes']['major'], '1')

    def test_objects(self):
        made = self.create('a', k='v')
        self.assertEqual((made.kind, made.data.k), ('ConfigMap', 'v'))
        self.create('b')
        listed = self.maps_of.get(namespace=self.namespace, limit=1)
        self.assertEqual(listed.metadata.remainingItemCount, 1)
        token = listed.metadata['continue']
        rest = self.maps_of.get(namespace=self.namespace, limit=1, _continue=token)
        self.assertEqual([one.metadata.name for one in rest.items], ['b'])
        changed = {**made.to_dict(), 'data': {'k': 'w'}}
        self.assertEqual(self.maps_of.replace(body=changed).data.k, 'w')
        with self.assertRaises(ConflictError):
            self.maps_of.replace(body=changed)
        self.maps_of.delete(name='a', namespace=self.namespace)
        with self.assertRaises(NotFoundError) as missing:
            self.maps_of.get(name='a', namespace=self.namespace)
        self.assertEqual(missing.exception.summary(), 'configmaps "a" not found')
        self.maps_of.delete(namespace=self.namespace, label_selector='of=test')
        self.assertEqual(self.names(), [])

    def test_patches(self):
        self.create('a', k='v')
        patch = self.maps_of.patch
        merged = patch(
            body={'data': {'l': 'w'}}, name='a', namespace=self.namespace, content_type=MERGE
        )
        self.assertEqual(merged.data.to_dict(), {'k': 'v', 'l': 'w'})
        strategic = patch(body={'data': {'k': None}}, name='a', namespace=self.namespace)
        self.assertEqual(strategic.data.to_dict(), {'l': 'w'})
        steps = [{'op': 'remove', 'path': '/data/none'}]
        with self.assertRaises(UnprocessibleEntityError):
            patch(body=steps, name='a', namespace=self.namespace, content_type=JSON)

    def apply(self, manager, **asked):
        return self.maps_of.server_side_apply(
            namespace=self.namespace, field_manager=manager, **asked
        )

    def test_server_side_apply(self):
        self.apply('one', body=self.body('a', k='1'))
        with self.assertRaises(ConflictError):
            self.apply('two', body=self.body('a', k='2'))
        taken = self.apply('two', body=self.body('a', k='2'), force_conflicts=True)
        self.assertEqual(taken.data.k, '2')

    def test_status(self):
        services = self.dynamic.resources.get(api_version='v1', kind='Service')
        body = {'metadata': {'name': 'web'}, 'spec': {'ports': [{'port': 80}]}}
        services.create(body=body, namespace=self.namespace)
        condition = {'type': 'Ready', 'status': 'True', 'reason': 'So', 'message': ''}
        condition['lastTransitionTime'] = '2026-01-02T03:04:05Z'
        change = {'status': {'conditions': [condition]}}
        services.status.patch(body=change, name='web', namespace=self.namespace, content_type=MERGE)
        read = services.status.get(name='web', namespace=self.namespace)
        self.assertEqual(read.status.conditions[0].reason, 'So')

    def test_watch_from_what_is_there(self):
        self.create('a')
        self.create('b')
        asked = {
            'namespace': self.namespace,
            'timeout': 1,
            'send_initial_events': True,
            'allow_watch_bookmarks': True,
            'resource_version_match': 'NotOlderThan',
        }
        told = list(self.maps_of.watch(**asked))
        names = [event['object'].metadata.name for event in told if event['type'] == 'ADDED']
        self.assertEqual(names, ['a', 'b'])
        end = next(event['raw_object'] for event in told if event['type'] == 'BOOKMARK')
        self.assertEqual(end['metadata']['annotations'], {'k8s.io/initial-events-end': 'true'})
