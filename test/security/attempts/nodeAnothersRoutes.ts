// Does a speaker have another node announce, where frr-k8s has the sessions?
import { merge, verbs } from '../../kube/cluster.ts'
import { frrGroup } from '../../kube/frrDefinitions.ts'
import { type Attempt, isForbidden, ownNamespace } from '../attempt.ts'

const configuration = (hostname: string | undefined, more: object = {}, node = 'node-a') => ({
  ...{ apiVersion: `${frrGroup}/v1beta1`, kind: 'FRRConfiguration' },
  metadata: { name: `metallb-${node}` },
  spec: {
    nodeSelector: { matchLabels: { ...(hostname && { 'kubernetes.io/hostname': hostname }) } },
    bgp: { routers: [{ asn: 64_512, prefixes: ['198.51.100.20/32'] }] },
    ...more,
  },
})
const [own, other] = ['node-a.example.com', 'node-b.example.com']

/** With the policies that bind a token to the node of its pod. */
export const nodeAnothersRoutes: Attempt = {
  name: 'A node has another node announce addresses, through frr-k8s',
  holds: "a node's account",
  mustHold: 'it is answered 403, and what the node writes for itself is accepted',
  before: 'the other node announced them',
  engines: ['kubernetes'],
  needsPolicies: true,
  async run({ node, admin }) {
    if (node === undefined) throw new Error('there is no node')
    const at = { group: frrGroup, version: 'v1beta1', plural: 'frrconfigurations' }
    const [theirs, all] = [node, admin].map((api) => verbs(api, { ...at, namespace: ownNamespace }))
    if (theirs === undefined || all === undefined) return
    const raw = { raw: { rawConfig: 'router bgp 64512' } }
    await isForbidden(theirs.create(configuration(other)))
    await isForbidden(theirs.create(configuration('no-such-host')))
    await isForbidden(theirs.create(configuration(undefined)))
    await isForbidden(theirs.create(configuration(own, raw)))
    await isForbidden(theirs.create(configuration(own, {}, 'node-b')))
    await theirs.create(configuration(own))
    const moved = { spec: { nodeSelector: { matchLabels: { 'kubernetes.io/hostname': other } } } }
    const { metadata } = await all.get('metallb-node-a')
    const replaced = { ...configuration(other), metadata }
    await isForbidden(theirs.replace('metallb-node-a', replaced))
    await isForbidden(theirs.patch('metallb-node-a', { type: merge, body: moved }))
    await theirs.replace('metallb-node-a', { ...configuration(own), metadata })
    await all.remove('metallb-node-a')
  },
}
