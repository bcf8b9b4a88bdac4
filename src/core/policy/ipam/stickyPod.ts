// Which addresses does a pod keep (R12.15)? Those that are reserved under its name, written into
// its networks; until they are reserved, an IPSet of its name asks for them.
import type { JsonObject } from '../../model/gate.ts'
import type { IpSet } from '../../model/ipam/ipSet.ts'
import { type NetworkSubnet, type NodeNetwork, subnetIn } from '../../model/ipam/nodePlan.ts'
import type { Attachment, NetConfig } from '../../model/wires.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import { attachmentOf, completedSelection, type Selection } from './networkSelections.ts'

/** A pod that is about to be made. */
export type NewPod = {
  readonly namespace: string
  readonly name: string
  /** The StatefulSet that it belongs to; undefined for any other pod. */
  readonly owner: Owner | undefined
  readonly selections: readonly Selection[]
}
type Owner = { readonly apiVersion: string; readonly name: string; readonly uid: string }

/** What an IPSet of the pod's name should say. */
type WantedIpSet = {
  readonly networks: readonly JsonObject[]
  readonly owner: Owner
}

type StickyAnswer =
  /** None of its networks has addresses for pods. */
  | { readonly type: 'pass'; readonly warnings: readonly string[] }
  | { readonly type: 'networks'; readonly selections: readonly Selection[] }
  | { readonly type: 'ask'; readonly ipSet: WantedIpSet; readonly before: IpSet | undefined }
  /** Asked for, and not reserved yet. */
  | { readonly type: 'wait' }
  | { readonly type: 'refuse'; readonly why: string }

/** On a Namespace: its pods keep their addresses. */
const stickyLabel = 'berth.dev/sticky-pods'

export function stickyPod(world: ReadonlyWorld, pod: NewPod): StickyAnswer {
  const { namespace, owner } = pod
  const isAsked = world.all('Namespace').get(namespace)?.labels[stickyLabel] === 'true'
  const [config] = world.nodes.configsIn(namespace)
  if (!isAsked || owner === undefined || config === undefined) return passed
  const named = networksByName(config)
  const uses = pod.selections.flatMap((selection) => usesOf(world, { pod, named, selection }))
  const sticky = onceEach(uses.filter(({ attachment }) => attachment.takesIps))
  if (sticky.length === 0) return { type: 'pass', warnings: uses.map(unfit) }
  return answerFor(world, { pod, owner, sticky })
}

const passed = { type: 'pass', warnings: [] } as const

type Use = {
  readonly selection: Selection
  readonly attachment: Attachment
  readonly place: NetworkSubnet
}

type Networks = ReadonlyMap<string, NodeNetwork>

/** By their own name, else by that of the attachments; the first of a name counts. */
function networksByName({ networks }: NetConfig): Networks {
  const byService = networks.toReversed().map((one) => [one.serviceNetwork, one] as const)
  const byName = networks.toReversed().map((one) => [one.name.toLowerCase(), one] as const)
  return new Map([...byService, ...byName])
}

/** Of an attachment whose network has a sticky range. */
function usesOf(
  world: ReadonlyWorld,
  asked: { readonly pod: NewPod; readonly named: Networks; readonly selection: Selection },
): readonly Use[] {
  const { pod, named, selection } = asked
  const key = attachmentOf(selection, pod.namespace)
  const attachment = world.all('NetworkAttachmentDefinition').get(key)
  // An address written into the pod wins.
  if (attachment === undefined || selection['ips'] !== undefined) return []
  const network = named.get(attachment.network.toLowerCase())
  const subnet = network?.subnets.find(({ sticky }) => sticky.length > 0)
  if (network === undefined || subnet === undefined) return []
  return [{ selection, attachment, place: { network, subnet } }]
}

/** A pod may be attached to one network twice, and has one address of its name there. */
const onceEach = (uses: readonly Use[]): readonly Use[] =>
  uses.filter(
    ({ place }, at) => uses.findIndex((use) => use.place.network === place.network) === at,
  )

const unfit = ({ attachment: { key }, place: { network } }: Use): string =>
  `network ${network.name} has addresses that pods keep, but NetworkAttachmentDefinition ${key} ` +
  'does not take them: it needs the IPAM plugin static and capabilities {"ips": true}'

type Asking = {
  readonly pod: NewPod
  readonly owner: Owner
  readonly sticky: readonly Use[]
}

function answerFor(world: ReadonlyWorld, asking: Asking): StickyAnswer {
  const { pod, owner, sticky } = asking
  const key = `${pod.namespace}/${pod.name}`
  const before = world.all('IPSet').get(key)
  if (before?.isForPod === false) {
    const remedy = 'give the pod or the host another name'
    return { type: 'refuse', why: `IPSet ${key} is there, for a host of that name: ${remedy}` }
  }
  const missing = sticky.filter(({ place }) => !asksFor(before, place))
  // One that goes is waited for: its addresses are kept for the next of its name.
  if (before?.isGoing === true) return { type: 'wait' }
  if (before === undefined || missing.length > 0 || !before.ownerUids.includes(owner.uid)) {
    const networks = [...(before?.requests ?? []).map(requestOf), ...missing.map(requestFor)]
    return { type: 'ask', ipSet: { networks, owner }, before }
  }
  return reservedFor(world, asking, before)
}

const asksFor = (ipSet: IpSet | undefined, { network }: NetworkSubnet): boolean =>
  ipSet?.requests.some(({ name }) => name.toLowerCase() === network.name.toLowerCase()) === true

/** As it is: what was asked for cannot change. */
const requestOf = (request: IpSet['requests'][number]): JsonObject => {
  const { name, subnetName, fixedText, defaultRoute } = request
  return {
    name,
    subnetName,
    ...(fixedText === '' ? {} : { fixedIP: fixedText }),
    ...(defaultRoute === undefined ? {} : { defaultRoute }),
  }
}

const requestFor = ({ place: { network, subnet } }: Use): JsonObject => ({
  name: network.name,
  subnetName: subnet.name,
})

function reservedFor(world: ReadonlyWorld, { pod, sticky }: Asking, ipSet: IpSet): StickyAnswer {
  const reservation = world.all('Reservation').get(ipSet.key)
  const entries = reservation?.ownerUid === ipSet.uid ? reservation.entries : []
  const ips = new Map<Selection, string>()
  for (const { selection, place } of sticky) {
    const name = place.network.name.toLowerCase()
    const entry = entries.find(({ network }) => network.toLowerCase() === name)
    // Its range may be in another subnet by now.
    const { cidr } = subnetIn(place.network, entry?.subnet ?? '') ?? {}
    if (entry?.address === undefined || cidr === undefined) return notYet(ipSet)
    const whose = { wire: world.nodes.wireOf(ipSet.namespace, name), key: ipSet.key }
    if (!world.nodes.mayHave({ ...whose, address: entry.address })) return notYet(ipSet)
    ips.set(selection, `${entry.address}/${cidr.length}`)
  }
  return { type: 'networks', selections: withIps(pod.selections, sticky, ips) }
}

/** What it lacks is reported once its current version was read. */
function notYet({ key, status, generation }: IpSet): StickyAnswer {
  const isLookedAt = status.observedGeneration === generation
  const said = status.conditions.find(({ type }) => type === 'ReservationReady')
  return isLookedAt && said?.status === 'False'
    ? { type: 'refuse', why: `IPSet ${key}: ${said.message}` }
    : { type: 'wait' }
}

function withIps(
  selections: readonly Selection[],
  sticky: readonly Use[],
  ips: ReadonlyMap<Selection, string>,
): readonly Selection[] {
  const taken: Selection[] = [...selections]
  return selections.map((selection, at) => {
    const ip = ips.get(selection)
    const gateway = sticky.find((use) => use.selection === selection)?.attachment.gatewayText ?? ''
    if (ip === undefined) return selection
    const completed = completedSelection(selection, taken, { ip, gateway })
    taken[at] = completed
    return completed
  })
}
