"""Lists, pages, selectors and every kind that is served, read into the library's own models."""

from case import ApiCase
from kubernetes import client

POD = {
    'metadata': {'name': 'p'},
    'spec': {'containers': [{'name': 'c', 'image': 'i'}], 'automountServiceAccountToken': False},
}


class Reading(ApiCase):
    def test_pages(self):
        for at in range(7):
            self.make_map(f'm{at}')
        first = self.maps(limit=3)
        self.assertEqual(first.metadata.remaining_item_count, 4)
        self.make_map('m00')
        second = self.maps(limit=3, _continue=first.metadata._continue)
        third = self.maps(limit=3, _continue=second.metadata._continue)
        found = [one.metadata.name for page in (first, second, third) for one in page.items]
        self.assertEqual(found, [f'm{at}' for at in range(7)])
        self.assertIsNone(third.metadata._continue)
        self.assertEqual(first.metadata.resource_version, third.metadata.resource_version)

    def test_selectors(self):
        self.make_map('a', labels={'tier': 'front', 'x': '1'})
        self.make_map('b', labels={'tier': 'back'})
        self.make_map('c')
        self.assertEqual(self.names(label_selector='tier in (front, back),!x'), ['b'])
        self.assertEqual(self.names(label_selector='tier!=front'), ['b', 'c'])
        self.assertEqual(self.names(field_selector='metadata.name!=a'), ['b', 'c'])
        with self.refused(400, 'BadRequest'):
            self.maps(field_selector='data.x=1')

    def test_moments(self):
        made = self.make_map('a')
        before = made.metadata.resource_version
        self.make_map('b')
        exactly = self.maps(resource_version=before, resource_version_match='Exact')
        self.assertEqual([one.metadata.name for one in exactly.items], ['a'])
        self.assertEqual(exactly.metadata.resource_version, before)
        later = self.names(resource_version=before, resource_version_match='NotOlderThan')
        self.assertEqual(later, ['a', 'b'])
        with self.refused(422, 'Invalid'):
            self.maps(resource_version_match='Exact')

    def test_every_core_kind(self):
        core, inside = self.core, self.namespace
        core.create_namespaced_pod(inside, POD)
        core.create_namespaced_secret(inside, {'metadata': {'name': 's'}, 'stringData': {'a': 'b'}})
        core.create_namespaced_service_account(inside, {'metadata': {'name': 'sa'}})
        ports = [{'port': 80, 'targetPort': 'http'}]
        service = {'metadata': {'name': 'w'}, 'spec': {'ports': ports}}
        core.create_namespaced_service(inside, service)
        involved = {'kind': 'Pod', 'namespace': inside, 'name': 'p'}
        event = {'metadata': {'generateName': 'p.'}, 'involvedObject': involved, 'reason': 'Made'}
        core.create_namespaced_event(inside, event)
        self.assertEqual(core.read_namespaced_pod('p', inside).status.phase, 'Pending')
        self.assertEqual(core.read_namespaced_secret('s', inside).data, {'a': 'Yg=='})
        service = core.read_namespaced_service('w', inside)
        self.assertEqual(service.spec.ports[0].target_port, 'http')
        self.assertEqual(service.spec.cluster_ips, [service.spec.cluster_ip])
        found = core.list_namespaced_event(inside, field_selector='involvedObject.name=p')
        self.assertEqual([one.reason for one in found.items], ['Made'])
        accounts = core.list_namespaced_service_account(inside)
        self.assertIn('sa', [one.metadata.name for one in accounts.items])
        self.assertIn('default', [one.metadata.name for one in core.list_namespace().items])
        core.list_node()

    def test_every_other_kind(self):
        inside = self.namespace
        apps, coordination = client.AppsV1Api(), client.CoordinationV1Api()
        labels = {'app': 'x'}
        template = {'metadata': {'labels': labels}, 'spec': POD['spec']}
        spec = {'selector': {'matchLabels': labels}, 'template': template}
        made = apps.create_namespaced_deployment(inside, {'metadata': {'name': 'd'}, 'spec': spec})
        self.assertEqual((made.spec.replicas, made.spec.strategy.type), (1, 'RollingUpdate'))
        renewed = {'holderIdentity': 'me', 'renewTime': '2026-01-02T03:04:05.678901Z'}
        held = {'metadata': {'name': 'l'}, 'spec': renewed}
        lease = coordination.create_namespaced_lease(inside, held)
        self.assertEqual(lease.spec.renew_time.microsecond, 678901)
        slices = client.DiscoveryV1Api()
        body = {
            'metadata': {'name': 'e', 'labels': {'kubernetes.io/service-name': 'w'}},
            'addressType': 'IPv4',
            'endpoints': [{'addresses': ['10.0.0.1'], 'conditions': {'ready': True}}],
            'ports': [{'port': 8080}],
        }
        slices.create_namespaced_endpoint_slice(inside, body)
        [found] = slices.list_namespaced_endpoint_slice(inside).items
        self.assertEqual(found.endpoints[0].addresses, ['10.0.0.1'])
        definitions = client.ApiextensionsV1Api().list_custom_resource_definition(limit=500)
        names = [one.metadata.name for one in definitions.items]
        self.assertIn('ipaddresspools.metallb.io', names)

    def test_what_the_server_says_of_itself(self):
        self.assertEqual(client.VersionApi().get_code().minor, '36')
        groups = {group.name for group in client.ApisApi().get_api_versions().groups}
        self.assertLessEqual({'apps', 'metallb.io', 'berth.dev'}, groups)
        kinds = {one.name for one in self.core.get_api_resources().resources}
        self.assertLessEqual({'services', 'services/status', 'pods'}, kinds)
        attributes = {'verb': 'create', 'resource': 'services', 'namespace': self.namespace}
        asked = {'spec': {'resourceAttributes': attributes}}
        review = client.AuthorizationV1Api().create_self_subject_access_review(asked)
        self.assertTrue(review.status.allowed)
        who = client.AuthenticationV1Api().create_self_subject_review({})
        self.assertIn('system:masters', who.status.user_info.groups)

    def test_refusals(self):
        with self.refused(404, 'NotFound') as status:
            self.core.read_namespaced_config_map('none', self.namespace)
        self.assertEqual(status['details'], {'name': 'none', 'kind': 'configmaps'})
        self.make_map('a')
        with self.refused(409, 'AlreadyExists'):
            self.make_map('a')
        with self.refused(422, 'Invalid') as status:
            self.make_map('Not_A_Name')
        fields = [cause['field'] for cause in status['details']['causes']]
        self.assertEqual(fields, ['metadata.name'])
        with self.refused(400, 'BadRequest'):
            self.maps(_continue='nonsense')
        with self.refused(404, 'NotFound'):
            self.core.create_namespaced_config_map('nowhere', {'metadata': {'name': 'a'}})
