"""Watch and SharedInformer: what is there, every change once, timeouts, selectors, bookmarks."""

import threading

from case import MERGE, ApiCase, later
from kubernetes import client, watch
from kubernetes.informer import ADDED, DELETED, MODIFIED, SharedInformer


class Watching(ApiCase):
    def stream(self, seconds=1, **asked):
        begun = watch.Watch().stream(
            self.core.list_namespaced_config_map, self.namespace, timeout_seconds=seconds, **asked
        )
        return [(event['type'], event['object'].metadata.name) for event in begun]

    def change(self, name, **data):
        body = {'data': data}
        self.core.patch_namespaced_config_map(name, self.namespace, body, _content_type=MERGE)

    def remove(self, name):
        self.core.delete_namespaced_config_map(name, self.namespace)

    def test_from_a_list_on(self):
        self.make_map('before')
        begin = self.maps().metadata.resource_version
        self.make_map('a')
        self.change('a', k='v')
        self.remove('a')
        later(0.3, lambda: self.make_map('live'))
        told = self.stream(seconds=4, resource_version=begin)
        changes = [('ADDED', 'a'), ('MODIFIED', 'a'), ('DELETED', 'a'), ('ADDED', 'live')]
        self.assertEqual(told, changes)

    def test_from_what_is_there_on(self):
        self.make_map('a')
        self.make_map('b', labels={'tier': 'front'})
        self.assertEqual(sorted(self.stream()), [('ADDED', 'a'), ('ADDED', 'b')])
        self.assertEqual(self.stream(label_selector='tier=front'), [('ADDED', 'b')])
        named = self.stream(field_selector='metadata.name=a', resource_version='0')
        self.assertEqual(named, [('ADDED', 'a')])

    def test_what_is_no_longer_selected(self):
        self.make_map('a', labels={'tier': 'front'})
        begin = self.maps().metadata.resource_version
        labels = {'metadata': {'labels': {'tier': 'back'}}}
        self.core.patch_namespaced_config_map('a', self.namespace, labels, _content_type=MERGE)
        told = self.stream(resource_version=begin, label_selector='tier=front')
        self.assertEqual(told, [('DELETED', 'a')])

    def test_ends_in_time_and_goes_on_where_it_was(self):
        watching = watch.Watch()
        self.make_map('a')
        asked = {'timeout_seconds': 1, 'allow_watch_bookmarks': True}
        listing = self.core.list_namespaced_config_map
        list(watching.stream(listing, self.namespace, **asked))
        seen = watching.resource_version
        self.make_map('b')
        self.assertEqual(self.stream(resource_version=seen), [('ADDED', 'b')])

    def test_stops_when_told(self):
        self.make_map('a')
        watching = watch.Watch()
        for event in watching.stream(self.core.list_namespaced_config_map, self.namespace):
            self.assertEqual(event['object'].metadata.name, 'a')
            watching.stop()

    def test_a_service_is_seen_with_its_types(self):
        body = {'metadata': {'name': 'web'}, 'spec': {'ports': [{'port': 80}]}}
        self.core.create_namespaced_service(self.namespace, body)
        listing = self.core.list_namespaced_service
        [event] = watch.Watch().stream(listing, self.namespace, timeout_seconds=1)
        self.assertIsInstance(event['object'], client.V1Service)
        self.assertEqual(event['object'].spec.ports[0].protocol, 'TCP')

    def test_informer(self):
        self.make_map('before')
        informer = SharedInformer(self.core.list_namespaced_config_map, namespace=self.namespace)
        told = []
        done = threading.Event()
        for kind in (ADDED, MODIFIED, DELETED):
            informer.add_event_handler(
                kind, lambda one, kind=kind: told.append((kind, one.metadata.name))
            )
        informer.add_event_handler(DELETED, lambda _: done.set())
        informer.start()
        self.addCleanup(informer.stop)
        later(0.2, lambda: (self.make_map('a'), self.change('a', k='v'), self.remove('a')))
        self.assertTrue(done.wait(30))
        changes = [(ADDED, 'before'), (ADDED, 'a'), (MODIFIED, 'a'), (DELETED, 'a')]
        self.assertEqual(told, changes)
        self.assertEqual(informer.cache.list_keys(), [f'{self.namespace}/before'])
