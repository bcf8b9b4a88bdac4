// What becomes of hosts that come and go by the thousand, while two controllers serve them that are
// behind and die between any two writes? An audit of all that the API holds, again and again.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Cluster, isWrite, type Running, type Spoil } from './controllers.ts'
import {
  contradictions,
  type IpSetStand,
  ipSet,
  isReady,
  newIpSetStand,
  reservedBy,
} from './ipsetStand.ts'
import { late } from './lateness.ts'
import { pick, seeded } from './seeded.ts'

export type HostChurn = {
  readonly namespace: string
  readonly hosts: number
  /** What users do after all hosts were asked for. */
  readonly steps: number
  /** How likely a write is the last of its controller; one in two hundred unless given. */
  readonly deadly?: number
  readonly seed: number
}
type Audit = {
  /** An address that somebody else has as well, whenever that was. */
  readonly twice: readonly string[]
  /** Of what it came to. */
  readonly wrong: readonly string[]
  /** Hosts that had to be ready in the end and were not, or the other way round. */
  readonly unserved: number
  readonly kills: number
}

const names = ['InternalApi', 'Storage', 'Tenant', 'External', 'StorageMgmt', 'Octavia']
const [lateMs, atOnce, restMs] = [100, 16, 600_000]

/** One in ten waits for an address; those that end in zero are passed over. */
const lastFor = (hosts: number): number => 256 + Math.ceil(hosts * 0.9)
const usable = (hosts: number): number =>
  Array.from({ length: lastFor(hosts) - 255 }, (_, at) => 256 + at).filter((one) => one & 255)
    .length

const networksFor = (hosts: number): readonly object[] =>
  names.map((name, at) => {
    const [net, last] = [`172.${16 + at}`, lastFor(hosts)]
    const range = { start: `${net}.1.0`, end: `${net}.${last >> 8}.${last & 255}` }
    const cidr = `${net}.0.0/16`
    return { name, subnets: [{ name: 'subnet1', cidr, vlan: 20 + at, allocationRanges: [range] }] }
  })

export async function churnHosts(cluster: Cluster, churn: HostChurn): Promise<Audit> {
  const { namespace, hosts, deadly = 0.005, seed } = churn
  const stand = await newIpSetStand(cluster, namespace, { networks: networksFor(hosts) })
  const end = new AbortController()
  const random = seeded(seed)
  const leaders = ['one', 'other'].map((lease) =>
    served(stand, { lease, deadly, random, end: end.signal }),
  )
  const audited = audits(stand, end.signal)
  try {
    await users(stand, churn, random)
  } finally {
    end.abort()
  }
  const kills = (await Promise.all(leaders)).reduce((sum, count) => sum + count, 0)
  const twice = await audited
  const last = stand.run({ lines: late(lateMs) })
  await settled(last)
  await last.stop()
  const wrong = await contradictions(stand)
  return { twice, wrong, unserved: await unserved(stand, hosts), kills }
}

type Served = {
  readonly lease: string
  readonly deadly: number
  readonly random: () => number
  readonly end: AbortSignal
}

/** A controller after another; answers how many of them died. */
async function served(stand: IpSetStand, terms: Served): Promise<number> {
  const { lease, end } = terms
  let kills = 0
  while (!end.aborted) {
    const death = new AbortController()
    const one = stand.run({ lease, lines: late(lateMs), spoil: mortal(terms, death) })
    const over = AbortSignal.any([death.signal, end])
    await new Promise<void>((resolve) => {
      if (over.aborted) resolve()
      over.addEventListener('abort', () => resolve(), { once: true })
    })
    await one.stop()
    if (death.signal.aborted) kills += 1
  }
  return kills
}

/** Of what it writes last, half is written, and it never hears of it. */
const mortal =
  ({ deadly, random }: Served, death: AbortController): Spoil =>
  async (request, pass) => {
    if (request.path.includes('/leases')) return pass()
    if (death.signal.aborted) throw new Error('killed')
    if (!isWrite(request) || random() > deadly) return pass()
    death.abort()
    if (random() < 0.5) await pass().catch(() => undefined)
    throw new Error('killed')
  }

/** All are asked for, then some go, come back, and ask for an address that another may have. */
async function users(stand: IpSetStand, { hosts, steps }: HostChurn, random: () => number) {
  let [next, done] = [0, 0]
  const nameOf = (at: number) => `host-${at}`
  const work = async (): Promise<void> => {
    for (; next < hosts; ) await stand.ipSets.create(ipSet(nameOf(next++), names))
    for (; done < steps; done++) {
      const name = nameOf(pick(random, hosts))
      await act(stand, name, random).catch(() => undefined)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  // In the end all are there.
  for (let at = 0; at < hosts; at++) {
    const isThere = await stand.ipSets.get(nameOf(at)).catch(() => undefined)
    if (isThere === undefined) await stand.ipSets.create(ipSet(nameOf(at), names))
  }
}

async function act({ ipSets }: IpSetStand, name: string, random: () => number) {
  await ipSets.remove(name)
  if (random() < 0.3) return
  const asked = ipSet(name, names)
  const [first, ...more] = asked.spec.networks
  const fixedIP = `172.16.1.${1 + pick(random, 200)}`
  const networks = random() < 0.2 ? [{ ...first, fixedIP }, ...more] : asked.spec.networks
  await ipSets.create({ ...asked, spec: { networks } })
}

/** As long as it goes on: what contradicts itself for more than a moment is at rest then, too. */
async function audits(stand: IpSetStand, end: AbortSignal): Promise<readonly string[]> {
  const found = new Set<string>()
  while (!end.aborted) {
    for (const one of await contradictions(stand)) if (one.includes('twice')) found.add(one)
    await sleep(500, undefined, { signal: end }).catch(() => undefined)
  }
  return [...found]
}

/** However long the machine takes. */
async function settled(one: Running): Promise<void> {
  for (const beganMs = performance.now(); ; ) {
    const isOver = performance.now() - beganMs > restMs
    const error = await one.quiet().then(
      () => undefined,
      (late: unknown) => late,
    )
    if (error === undefined) return
    if (isOver) throw error
  }
}

/** Where nobody asks for a certain address, nobody lacks one while there is one left. */
async function unserved({ ipSets }: IpSetStand, hosts: number): Promise<number> {
  const { items } = await ipSets.list()
  const counts = new Map<string, number>()
  for (const { network } of items.flatMap(reservedBy)) {
    counts.set(network, (counts.get(network) ?? 0) + 1)
  }
  const short = names.slice(1).filter((name) => counts.get(name) !== usable(hosts))
  const unready = items.filter((one) => !isReady(one) && reservedBy(one).length === names.length)
  return short.length + unready.length
}
