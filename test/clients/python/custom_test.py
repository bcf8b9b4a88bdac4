"""Custom kinds: a definition of its own, and its objects through CustomObjectsApi."""

import time

from case import APPLY, JSON, STRATEGIC, ApiCase
from kubernetes import client, watch
from kubernetes.client.exceptions import ApiException

GROUP = 'clients.berth.dev'
PLURAL = 'jetties'
SPEC = {
    'type': 'object',
    'properties': {
        'length': {'type': 'integer', 'minimum': 1},
        'lit': {'type': 'boolean', 'default': True},
    },
}
DEFINITION = {
    'metadata': {'name': f'{PLURAL}.{GROUP}'},
    'spec': {
        'group': GROUP,
        'scope': 'Namespaced',
        'names': {'kind': 'Jetty', 'plural': PLURAL, 'shortNames': ['jty']},
        'versions': [
            {
                'name': 'v1',
                'served': True,
                'storage': True,
                'subresources': {'status': {}},
                'schema': {
                    'openAPIV3Schema': {
                        'type': 'object',
                        'properties': {
                            'spec': SPEC,
                            'status': {
                                'type': 'object',
                                'x-kubernetes-preserve-unknown-fields': True,
                            },
                        },
                    }
                },
            }
        ],
    },
}


def jetty(name, **spec):
    return {
        'apiVersion': f'{GROUP}/v1',
        'kind': 'Jetty',
        'metadata': {'name': name, 'labels': {'of': 'test'}},
        'spec': spec,
    }


def established(definition):
    conditions = definition.status.conditions if definition.status else None
    return any(one.type == 'Established' and one.status == 'True' for one in conditions or [])


def define():
    """Ends once objects of the kind can be written."""
    definitions, objects = client.ApiextensionsV1Api(), client.CustomObjectsApi()
    name = DEFINITION['metadata']['name']
    definitions.create_custom_resource_definition(DEFINITION)
    for _ in range(100):
        if established(definitions.read_custom_resource_definition(name)):
            try:
                return objects.list_custom_object_for_all_namespaces(GROUP, 'v1', PLURAL)
            except ApiException:
                pass
        time.sleep(0.1)
    raise TimeoutError(name)


class Custom(ApiCase):
    @classmethod
    def setUpClass(cls):
        define()

    @classmethod
    def tearDownClass(cls):
        name = DEFINITION['metadata']['name']
        client.ApiextensionsV1Api().delete_custom_resource_definition(name)

    def setUp(self):
        super().setUp()
        self.api = client.CustomObjectsApi()
        self.where = (GROUP, 'v1', self.namespace, PLURAL)

    def make(self, name, **spec):
        return self.api.create_namespaced_custom_object(*self.where, jetty(name, **spec))

    def found(self, **asked):
        return self.api.list_namespaced_custom_object(*self.where, **asked)

    def test_defaults_pruning_and_rules(self):
        made = self.make('a', length=3, colour='red')
        self.assertEqual(made['spec'], {'length': 3, 'lit': True})
        self.assertEqual(made['metadata']['generation'], 1)
        with self.refused(422, 'Invalid') as status:
            self.make('b', length=0)
        self.assertEqual(status['details']['causes'][0]['field'], 'spec.length')
        with self.refused(400, 'BadRequest'):
            self.api.create_namespaced_custom_object(
                *self.where, jetty('b', colour='red'), field_validation='Strict'
            )

    def test_read_in_pages_and_everywhere(self):
        for name in 'abc':
            self.make(name)
        page = self.found(limit=2)
        rest = self.found(limit=2, _continue=page['metadata']['continue'])
        names = [one['metadata']['name'] for one in page['items'] + rest['items']]
        self.assertEqual(names, ['a', 'b', 'c'])
        self.assertEqual((page['kind'], page['items'][0]['kind']), ('JettyList', 'Jetty'))
        everywhere = self.api.list_custom_object_for_all_namespaces(
            GROUP, 'v1', PLURAL, label_selector='of=test'
        )
        self.assertGreaterEqual(len(everywhere['items']), 3)
        kinds = self.api.get_api_resources(GROUP, 'v1').resources
        self.assertEqual([one.name for one in kinds], [PLURAL, f'{PLURAL}/status'])

    def test_replace_and_patch(self):
        made = self.make('a', length=1)
        made['spec']['length'] = 2
        replaced = self.api.replace_namespaced_custom_object(*self.where, 'a', made)
        self.assertEqual(replaced['metadata']['generation'], 2)
        with self.refused(409, 'Conflict'):
            self.api.replace_namespaced_custom_object(*self.where, 'a', made)
        patch = self.api.patch_namespaced_custom_object
        merged = patch(*self.where, 'a', {'spec': {'length': 3, 'lit': None}})
        self.assertEqual(merged['spec'], {'length': 3, 'lit': True})
        steps = [{'op': 'replace', 'path': '/spec/length', 'value': 4}]
        stepped = patch(*self.where, 'a', steps, _content_type=JSON)
        self.assertEqual(stepped['spec']['length'], 4)
        asked = {'field_manager': 'one', '_content_type': APPLY}
        # What is created by an apply is answered 201, which the library does not look into.
        patch(*self.where, 'b', jetty('b', length=5), **asked)
        applied = self.api.get_namespaced_custom_object(*self.where, 'b')
        self.assertEqual(applied['spec']['length'], 5)
        with self.refused(415, 'UnsupportedMediaType'):
            patch(*self.where, 'a', {'spec': {}}, _content_type=STRATEGIC)

    def test_status_is_apart(self):
        self.make('a', length=1)
        change = {'status': {'ships': 2}, 'spec': {'length': 9}}
        written = self.api.patch_namespaced_custom_object_status(*self.where, 'a', change)
        self.assertEqual((written['spec']['length'], written['status']), (1, {'ships': 2}))
        self.assertEqual(written['metadata']['generation'], 1)
        read = self.api.get_namespaced_custom_object_status(*self.where, 'a')
        read['status'] = {'ships': 3}
        self.api.replace_namespaced_custom_object_status(*self.where, 'a', read)
        now = self.api.get_namespaced_custom_object(*self.where, 'a')
        self.assertEqual(now['status'], {'ships': 3})
        with self.refused(404, 'NotFound'):
            self.api.get_namespaced_custom_object_scale(*self.where, 'a')

    def test_delete(self):
        for name in 'abc':
            self.make(name)
        status = self.api.delete_namespaced_custom_object(*self.where, 'a')
        self.assertEqual(status['status'], 'Success')
        self.api.delete_collection_namespaced_custom_object(*self.where, label_selector='of=test')
        self.assertEqual(self.found()['items'], [])

    def test_watch(self):
        self.make('a', length=1)
        begin = self.found()['metadata']['resourceVersion']
        self.api.patch_namespaced_custom_object(*self.where, 'a', {'spec': {'length': 2}})
        self.api.delete_namespaced_custom_object(*self.where, 'a')
        asked = {'resource_version': begin, 'timeout_seconds': 1}
        seen = watch.Watch().stream(self.api.list_namespaced_custom_object, *self.where, **asked)
        told = [(event['type'], event['object']['spec']['length']) for event in seen]
        self.assertEqual(told, [('MODIFIED', 2), ('DELETED', 2)])
