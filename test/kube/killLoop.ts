// Does it matter when the controller dies? Killed between any two of its writes, again and again,
// while Services come, change and go.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Fault } from '../../src/edge/kube/api/fault.ts'
import { merge, verbs } from './cluster.ts'
import {
  addressOf,
  asking,
  isClaimWrite,
  ownNamespace,
  type Running,
  type Spoil,
} from './controllers.ts'
import { named, type Stand } from './faultStand.ts'
import { kubeconfigFor } from './harness.ts'
import { pick, seeded } from './seeded.ts'
import { until } from './waits.ts'

export type Kills = {
  readonly kills: number
  /** Each round has chance of its own, so that what it does depends on nothing before it. */
  readonly seed: number
}

/** Services of so many rounds are there at a time: each round makes some, and removes the oldest. */
const kept = 12

/** Within one process: nothing more goes out, no answer comes in. Answers with what it died at. */
export async function killBetweenWrites(stand: Stand, { kills, seed }: Kills): Promise<string[]> {
  const deaths: string[] = []
  let batches = 0
  for (let round = 0; round < kills; round++) {
    const random = seeded(seed + round)
    const [isLate, isSent] = [random() < 0.5, random() < 0.5]
    const death = dying(1 + pick(random, isLate ? 8 : 24), isSent)
    const victim = stand.run({ spoil: death.spoil })
    const idle = stillnessOf(victim)
    // Half of them first finish what the dead ones left, half die over it: but not so soon that
    // nobody ever finishes it.
    if (isLate) await until('idle', idle)
    death.arm()
    while (death.at() === undefined) {
      await Promise.all([renew(stand, batches++), wander(stand, random)])
      await until('dead or idle', () => death.at() ?? idle())
    }
    await victim.stop()
    deaths.push(death.at() ?? '')
  }
  await allAddressed(stand)
  return deaths
}

/** Nothing was written for a moment: that is known sooner than that all is quiet. */
function stillnessOf({ controller, seen }: Running): () => 'idle' | undefined {
  let [writes, looks] = [0, 0]
  return () => {
    const now = seen.filter(isClaimWrite).length
    looks = controller.mayWrite && now === writes ? looks + 1 : 0
    writes = now
    return looks > 3 ? 'idle' : undefined
  }
}

/** Dead before its n-th write, or after that is on its way, once it is armed. */
function dying(after: number, isSent: boolean) {
  let [left, at] = [Number.POSITIVE_INFINITY, undefined as string | undefined]
  const never = new Promise<never>(() => undefined)
  const spoil: Spoil = (request, pass) => {
    if (at !== undefined) return Promise.reject(new Fault('dead'))
    if (!isClaimWrite(request) || --left > 0) return undefined
    const kind = request.path.includes('/addresses') ? 'Address' : 'Service'
    at = `${isSent ? 'after' : 'before'} ${request.method} ${kind}`
    if (isSent) pass().catch(() => undefined)
    return never
  }
  const arm = () => {
    left = after
  }
  return { spoil, arm, at: () => at }
}

/** Two that stay where they are once they have an address, for as long as they are there. */
async function renew(stand: Stand, batch: number): Promise<void> {
  await stand.create(named(`stay-${batch}-`, 2))
  if (batch < kept) return
  await Promise.all(named(`stay-${batch - kept}-`, 2).map((name) => stand.services.remove(name)))
}

/** One that comes, wants another address, changes its port on a shared one, or goes. */
async function wander({ services, namespace, ip }: Stand, random: () => number): Promise<void> {
  const name = `wander-${pick(random, 8)}`
  const annotations = {
    'metallb.io/loadBalancerIPs': ip(250 + pick(random, 3)),
    'metallb.io/allow-shared-ip': 'k',
  }
  const spec = { ports: [{ port: 80 + pick(random, 3) }] }
  const isToGo = pick(random, 3) === 0
  const change = { type: merge, body: { metadata: { annotations }, spec } }
  await services
    .create(asking(name, namespace, { annotations, spec }))
    .catch(() => (isToGo ? services.remove(name) : services.patch(name, change)))
}

/** Ports of the machine are not ours to take. */
const quietly = ['--port=0', '--health-probe-port=0', '--webhook-mode=disabled']

/** The program itself, by SIGKILL, at any moment of its work. */
export async function killProgram(stand: Stand, { kills, seed }: Kills): Promise<void> {
  const { cluster, services } = stand
  const kubeconfig = join(cluster.kube.folder, 'admin.kubeconfig')
  writeFileSync(kubeconfig, kubeconfigFor(cluster.kube, 'admin'))
  const leases = { group: 'coordination.k8s.io', version: 'v1', plural: 'leases' }
  const lease = verbs(cluster.admin, { ...leases, namespace: ownNamespace })
  const program = join(import.meta.dirname, '../../src/main.ts')
  const args = [program, 'controller', '--kubeconfig', kubeconfig, ...quietly]
  for (let round = 0; round < kills; round++) {
    const random = seeded(seed + round)
    // The one before is dead: nobody has to wait until its lease expires.
    await lease.remove('berth-controller').catch(() => undefined)
    const child = spawn(process.execPath, args, { stdio: 'ignore' })
    const ended = once(child, 'exit')
    await stand.create(named(`kill-${round}-`, 8))
    await addressOf(services, `kill-${round}-0`)
    const gone = round < kept ? [] : named(`kill-${round - kept}-`, 8)
    await Promise.all(gone.map((name) => services.remove(name)))
    await sleep(random() * 60)
    child.kill('SIGKILL')
    await ended
  }
  await allAddressed(stand)
}

/** Addresses that were shown and then no more, by Services that nobody changed (P2). */
export const movesOf = ({ seen }: Stand): string[] =>
  seen.moves.filter((move) => !move.includes('/wander-'))

/** Requests can collide, so that those who wander may have to wait. */
async function allAddressed({ run, services, seen }: Stand): Promise<void> {
  const last = run()
  await last.quiet()
  await last.stop()
  await seen.caughtUp()
  for (const { metadata } of (await services.list()).items) {
    if (!metadata.name.startsWith('wander-')) await addressOf(services, metadata.name)
  }
}
