// Is a mistyped name answered with what may be meant, by the verbs that ask a running API?
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { berth as inProcess } from '../build/terminal.ts'
import { newData, startUp } from './berth.ts'

const inOwn = (name: string, labels = {}) => ({ name, namespace: 'metallb-system', labels })
const labels = { app: 'metallb', component: 'controller' }
const image = 'quay.io/metallb/controller:v0.16.1'
const objects = [
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'openstack' } },
  { apiVersion: 'v1', kind: 'Node', metadata: { name: 'worker-1' } },
  {
    apiVersion: 'metallb.io/v1beta2',
    kind: 'BGPPeer',
    metadata: inOwn('spine'),
    spec: { myASN: 64512, peerASN: 64513, peerAddress: '192.0.2.1' },
  },
  // Of a host that is gone.
  {
    apiVersion: 'network.openstack.org/v1beta1',
    kind: 'Reservation',
    metadata: { name: 'edpm-compute-0', namespace: 'openstack' },
    spec: {
      ipSetRef: {},
      reservation: {
        CtlPlane: { network: 'CtlPlane', subnet: 'subnet1', address: '192.168.122.100' },
      },
    },
  },
  // While MetalLB runs, Berth changes nothing of all this.
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: inOwn('controller', labels),
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'controller', image }] } },
    },
  },
]

const asked: readonly { readonly words: string; readonly says: string }[] = [
  {
    words: 'bgp peers --node worker1',
    says: 'node worker1 does not exist; did you mean worker-1?',
  },
  { words: 'bgp routes --peer spnie', says: 'BGPPeer spnie does not exist; did you mean spine?' },
  {
    words: 'openstack endpoints -n opnstack',
    says: 'namespace opnstack has no Service of an endpoint; did you mean openstack?',
  },
  {
    words: 'openstack stale -n opnstack',
    says: 'no stale annotations: 0 OpenStackControlPlanes read; did you mean openstack?',
  },
  { words: 'drain worker1', says: 'node worker1 does not exist; did you mean worker-1?' },
  {
    words: 'ipset release openstack/edpm-compute-1',
    says:
      'nothing is kept for IPSet openstack/edpm-compute-1; ' +
      'did you mean openstack/edpm-compute-0?',
  },
  { words: 'migrate step contrler', says: 'lists them; did you mean controller?' },
  {
    words: 'status --context brth',
    says: 'kubeconfig: there is no context "brth"; did you mean berth?',
  },
]

test('names that are there are offered for those that are not, and no others for those that are', async () => {
  const data = newData()
  const file = join(data.path, '..', 'objects.json')
  writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }))
  const { folder } = await startUp(data, '--with', file)
  const ask = (words: string) => inProcess([...words.split(' '), '--kubeconfig', folder.kubeconfig])
  for (const { words, says } of asked) {
    const { out, err } = await ask(words)
    expect(`${words}: ${out}${err}`).toContain(says)
  }
  for (const words of ['bgp peers --node worker-1', 'bgp routes --peer spine']) {
    expect(await ask(words)).toMatchObject({ exit: 0, err: '' })
  }
})
