// What does a test of hosts' addresses start from? A cluster with the kinds of OpenStack, a NetConfig
// in each namespace, and controllers that serve them; and an audit of what the API says at the end.
import { openstack } from '../../src/app/openstack/openstack.ts'
import type { Api } from '../../src/edge/kube/api/client.ts'
import { typeOf } from '../../src/edge/kube/kinds.ts'
import { openstackFolder } from '../../src/edge/manifests/shippedCrds.ts'
import { core, type KubeObject, verbs } from './cluster.ts'
import { type Cluster, type Running, type RunOptions, runController } from './controllers.ts'
import { defineCrd, shippedCrds } from './crds.ts'

const group = { group: 'network.openstack.org', version: 'v1beta1' }
const subnet = 'subnet1'
/** Small enough that hosts wait for one another. */
const small = ['InternalApi', 'Storage', 'Tenant'].map((name, at) => ({
  name,
  subnets: [
    {
      name: subnet,
      cidr: `172.${17 + at}.0.0/24`,
      vlan: 20 + at,
      allocationRanges: [{ start: `172.${17 + at}.0.100`, end: `172.${17 + at}.0.119` }],
    },
  ],
}))

export const ipSet = (
  name: string,
  on: readonly string[] = ['InternalApi', 'Storage', 'Tenant'],
) => ({
  ...typeOf('IPSet'),
  metadata: { name },
  spec: { networks: on.map((network) => ({ name: network, subnetName: subnet })) },
})

export type IpSetStand = {
  readonly ipSets: ReturnType<typeof verbs>
  readonly reservations: ReturnType<typeof verbs>
  readonly blocks: ReturnType<typeof verbs>
  readonly netConfigs: ReturnType<typeof verbs>
  readonly run: (options?: RunOptions) => Running
  readonly namespace: string
}

export async function installOpenstack(admin: Api): Promise<void> {
  const crds = await shippedCrds(openstackFolder)
  await Promise.all(crds.map(({ name, json }) => defineCrd(admin, name, json)))
}

type Given = { readonly annotations?: object; readonly networks?: readonly object[] }

export async function newIpSetStand(
  { admin, kube }: Cluster,
  namespace: string,
  { annotations = {}, networks = small }: Given = {},
): Promise<IpSetStand> {
  await verbs(admin, core('namespaces')).create({ metadata: { name: namespace } })
  const netConfigs = verbs(admin, { ...group, plural: 'netconfigs', namespace })
  await netConfigs.create({
    ...typeOf('NetConfig'),
    metadata: { name: 'netconfig', annotations },
    spec: { networks },
  })
  return {
    namespace,
    netConfigs,
    ipSets: verbs(admin, { ...group, plural: 'ipsets', namespace }),
    reservations: verbs(admin, { ...group, plural: 'reservations', namespace }),
    blocks: verbs(admin, { group: 'berth.dev', version: 'v1alpha1', plural: 'addressblocks' }),
    run: (options = {}) => runController(kube, { ...options, extensions: [openstack('serve')] }),
  }
}

type Entry = { readonly network: string; readonly address: string }

export const reservedBy = ({ status }: KubeObject): readonly Entry[] =>
  (status?.['reservations'] ?? []) as readonly Entry[]

export const isReady = ({ status }: KubeObject): boolean =>
  ((status?.['conditions'] ?? []) as readonly { type: string; status: string }[]).some(
    (one) => one.type === 'Ready' && one.status === 'True',
  )

/** What contradicts itself: an address twice, or shown without its Reservation and its claim. */
export async function contradictions(stand: IpSetStand): Promise<readonly string[]> {
  const [ipSets, reservations, blocks] = await Promise.all([
    stand.ipSets.list(),
    stand.reservations.list(),
    stand.blocks.list(),
  ])
  const shown = ipSets.items.flatMap((one) =>
    reservedBy(one).map(({ network, address }) => `${one.metadata.name} ${network} ${address}`),
  )
  // Whoever is behind may still write for one that is gone: its Reservation goes with the owner.
  const uids = new Set(ipSets.items.map(({ metadata }) => metadata.uid))
  const reserved = reservations.items
    .filter((one) => uids.has(ownerOf(one)))
    .flatMap(({ metadata, spec }) =>
      Object.values((spec?.['reservation'] ?? {}) as Readonly<Record<string, Entry>>).map(
        ({ network, address }) => `${metadata.name} ${network} ${address}`,
      ),
    )
  type Holder = Entry & { readonly name: string; readonly uid: string }
  const claimed = blocks.items
    .flatMap(({ spec }) => (spec?.['holders'] ?? []) as readonly Holder[])
    .filter(({ uid }) => uids.has(uid))
    .map(({ name, network, address }) => `${name} ${network} ${address}`)
  const [isReserved, isClaimed] = [new Set(reserved), new Set(claimed)]
  return [
    ...doubled(shown).map((one) => `shown twice: ${one}`),
    ...doubled(reserved).map((one) => `reserved twice: ${one}`),
    ...doubled(claimed).map((one) => `claimed twice: ${one}`),
    ...shown.filter((one) => !isReserved.has(one)).map((one) => `not reserved: ${one}`),
    ...shown.filter((one) => !isClaimed.has(one)).map((one) => `not claimed: ${one}`),
  ]
}

function ownerOf({ metadata }: KubeObject): string {
  const { ownerReferences = [] } = metadata as { ownerReferences?: readonly { uid: string }[] }
  return ownerReferences[0]?.uid ?? ''
}

/** More than one has the same address on a network. */
function doubled(lines: readonly string[]): readonly string[] {
  const counts = new Map<string, number>()
  const placeOf = (line: string) => line.replace(/^\S+ /, '')
  for (const line of lines) counts.set(placeOf(line), (counts.get(placeOf(line)) ?? 0) + 1)
  return lines.filter((line) => (counts.get(placeOf(line)) ?? 0) > 1)
}
