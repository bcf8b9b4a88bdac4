"""Create, replace, every kind of patch, delete and deletecollection."""

import os
import tempfile

from case import APPLY, JSON, MERGE, STRATEGIC, ApiCase
from kubernetes import client, utils


class Writing(ApiCase):
    def patch(self, name, body, **asked):
        return self.core.patch_namespaced_config_map(name, self.namespace, body, **asked)

    def make_service(self):
        ports = [{'name': 'http', 'port': 80}]
        body = {'metadata': {'name': 'web'}, 'spec': {'ports': ports}}
        return self.core.create_namespaced_service(self.namespace, body)

    def test_models_are_taken_and_given(self):
        metadata = client.V1ObjectMeta(name='a', labels={'x': '1'})
        body = client.V1ConfigMap(metadata=metadata, data={'k': 'v'}, immutable=False)
        made = self.core.create_namespaced_config_map(self.namespace, body)
        self.assertEqual((made.kind, made.api_version), ('ConfigMap', 'v1'))
        self.assertIsNotNone(made.metadata.creation_timestamp.tzinfo)
        self.assertEqual(len(made.metadata.uid), 36)
        made.data['k'] = 'w'
        replaced = self.core.replace_namespaced_config_map('a', self.namespace, made)
        self.assertEqual(replaced.data, {'k': 'w'})
        self.assertEqual(replaced.metadata.uid, made.metadata.uid)
        with self.refused(409, 'Conflict'):
            self.core.replace_namespaced_config_map('a', self.namespace, made)

    def test_json_patch(self):
        self.make_map('a', {'k': 'v'})
        steps = [
            {'op': 'test', 'path': '/data/k', 'value': 'v'},
            {'op': 'move', 'from': '/data/k', 'path': '/data/l'},
        ]
        self.assertEqual(self.patch('a', steps).data, {'l': 'v'})
        with self.refused(422, 'Invalid'):
            self.patch('a', [{'op': 'remove', 'path': '/data/none'}], _content_type=JSON)

    def test_merge_patch(self):
        self.make_map('a', {'k': 'v', 'gone': ''})
        change = {'data': {'k': 'w', 'gone': None}}
        self.assertEqual(self.patch('a', change, _content_type=MERGE).data, {'k': 'w'})

    def test_strategic_patch(self):
        self.make_service()
        change = {'spec': {'ports': [{'name': 'https', 'port': 443}]}}
        patched = self.core.patch_namespaced_service('web', self.namespace, change)
        self.assertEqual(sorted(port.port for port in patched.spec.ports), [80, 443])
        change = {'spec': {'ports': [{'$patch': 'delete', 'port': 80}]}}
        patched = self.core.patch_namespaced_service(
            'web', self.namespace, change, _content_type=STRATEGIC
        )
        self.assertEqual([port.port for port in patched.spec.ports], [443])

    def apply(self, data, manager, **asked):
        body = {'apiVersion': 'v1', 'kind': 'ConfigMap', 'metadata': {'name': 'a'}, 'data': data}
        return self.patch('a', body, field_manager=manager, _content_type=APPLY, **asked)

    def test_apply(self):
        self.assertEqual(self.apply({'k': '1', 'l': '1'}, 'one').data, {'k': '1', 'l': '1'})
        with self.refused(409, 'Conflict') as status:
            self.apply({'k': '2'}, 'two')
        self.assertEqual(status['details']['causes'][0]['field'], '.data.k')
        self.apply({'k': '2'}, 'two', force=True)
        self.assertEqual(self.apply({}, 'one').data, {'k': '2'})
        owners = self.maps().items[0].metadata.managed_fields
        [owner] = [one for one in owners if 'f:k' in one.fields_v1.get('f:data', {})]
        self.assertEqual((owner.manager, owner.operation), ('two', 'Apply'))

    def test_status(self):
        made = self.make_service()
        status = {'loadBalancer': {'ingress': [{'ip': '192.0.2.1'}]}}
        change = {'status': status, 'spec': {'type': 'LoadBalancer'}}
        # The type is left out there, so that the addresses have no place.
        with self.refused(422, 'Invalid'):
            self.core.patch_namespaced_service_status('web', self.namespace, change)
        condition = {'type': 'Ready', 'status': 'True', 'reason': 'So', 'message': ''}
        condition['lastTransitionTime'] = '2026-01-02T03:04:05Z'
        change = {'status': {'conditions': [condition]}}
        self.core.patch_namespaced_service_status('web', self.namespace, change)
        read = self.core.read_namespaced_service_status('web', self.namespace)
        self.assertEqual([one.type for one in read.status.conditions], ['Ready'])
        made.metadata.resource_version = read.metadata.resource_version
        replaced = self.core.replace_namespaced_service_status('web', self.namespace, made)
        self.assertIsNone(replaced.status.conditions)

    def test_dry_run_and_field_validation(self):
        body = {'metadata': {'name': 'a'}}
        write = self.core.create_namespaced_config_map
        write(self.namespace, body, dry_run='All')
        self.assertEqual(self.names(), [])
        made = write(self.namespace, {**body, 'data': {'k': 'v'}}, field_manager='mine')
        self.assertEqual(made.metadata.managed_fields[0].manager, 'mine')
        # The library itself lets nothing unknown out in a whole object.
        with self.refused(422, 'Invalid') as status:
            self.patch('a', {'colour': 'red'}, field_validation='Strict')
        self.assertIn('unknown field "colour"', status['message'])

    def test_delete(self):
        made = self.make_map('a')
        delete = self.core.delete_namespaced_config_map
        wrong = client.V1DeleteOptions(preconditions=client.V1Preconditions(uid='other'))
        with self.refused(409, 'Conflict'):
            delete('a', self.namespace, body=wrong)
        right = client.V1DeleteOptions(preconditions=client.V1Preconditions(uid=made.metadata.uid))
        status = delete('a', self.namespace, body=right)
        self.assertEqual(status['status'], 'Success')
        self.assertEqual(status['details']['uid'], made.metadata.uid)
        with self.refused(404, 'NotFound'):
            delete('a', self.namespace)

    def test_delete_collection(self):
        for name, tier in (('a', 'front'), ('b', 'back'), ('c', 'front')):
            self.make_map(name, labels={'tier': tier})
        delete = self.core.delete_collection_namespaced_config_map
        delete(self.namespace, label_selector='tier=front', dry_run='All')
        self.assertEqual(self.names(), ['a', 'b', 'c'])
        delete(self.namespace, label_selector='tier=front')
        self.assertEqual(self.names(), ['b'])

    def test_finalizers(self):
        self.make_map('a', finalizers=['berth.dev/test'])
        self.core.delete_namespaced_config_map('a', self.namespace)
        [going] = self.maps().items
        self.assertIsNotNone(going.metadata.deletion_timestamp)
        self.patch('a', {'metadata': {'finalizers': None}}, _content_type=MERGE)
        self.assertEqual(self.names(), [])

    def test_create_from_yaml(self):
        documents = '\n---\n'.join(
            f'apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: {name}}}' for name in ('a', 'b')
        )
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'maps.yaml')
            with open(path, 'w', encoding='utf-8') as file:
                file.write(documents)
            utils.create_from_yaml(client.ApiClient(), path, namespace=self.namespace)
            with self.assertRaises(utils.FailToCreateError):
                utils.create_from_yaml(client.ApiClient(), path, namespace=self.namespace)
        self.assertEqual(self.names(), ['a', 'b'])
