// What does a client miss behind a router? When the node that answers it is lost, with BFD at 50 ms x 3
// (`--part loss --losses 20`), and when its speaker restarts, with graceful restart (`--part restart
// --restarts 10`). Prints lines of docs/bench/bgp.md. Needs root, ip and frr; `--router-kind bird` takes BIRD.
import { loadavg } from 'node:os'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { until } from '../../test/kube/waits.ts'
import { labNamed } from '../../test/lab/namespaces.ts'
import { apply, type Written } from '../../test/lab/objects.ts'
import {
  berthLab,
  type Ground,
  labName,
  loseNode,
  newGround,
  plugIn,
  speakersOf,
} from '../lab/ground.ts'
import { Pulse } from '../lab/watchers.ts'
import { machine } from '../machine.ts'

const { values } = parseArgs({
  options: {
    part: { type: 'string', multiple: true },
    losses: { type: 'string', default: '20' },
    restarts: { type: 'string', default: '10' },
    'router-kind': { type: 'string', default: 'frr' },
  },
})
const kind = values['router-kind']
const lab = labNamed(labName)
const address = '10.50.0.1'
const calmMs = 1_500
const patienceMs = 60_000

const object = (kind: string, name: string, spec: object): Written => {
  const [version, namespace] = [kind === 'BGPPeer' ? 'v1beta2' : 'v1beta1', 'metallb-system']
  return {
    path: `/apis/metallb.io/${version}/namespaces/${namespace}/${kind.toLowerCase()}s/${name}`,
    body: { apiVersion: `metallb.io/${version}`, kind, metadata: { name, namespace }, spec },
  }
}
const profile = { receiveInterval: 50, transmitInterval: 50, detectMultiplier: 3 }
const peer = {
  ...{ myASN: 64512, peerASN: 64513, peerAddress: '10.10.0.1', dualStackAddressFamily: true },
  ...{ holdTime: '90s', bfdProfile: 'lab' },
}

function shown(some: readonly number[]): string {
  const all = some.toSorted((one, other) => one - other)
  const at = (part: number) => (all[Math.floor((all.length - 1) * part)] ?? 0).toFixed(0)
  return `p50 ${at(0.5)} ms, p90 ${at(0.9)} ms, max ${at(1)} ms of ${all.length}`
}

const say = (text: string): void =>
  void process.stdout.write(`${text} (load ${loadavg()[0]?.toFixed(1)})\n`)

type Sessions = { readonly items: readonly { readonly status: object }[] }

/** Every node has its session, and BFD with it. */
const untilUp = (ground: Ground): Promise<true> =>
  until(
    'sessions with BFD',
    () => {
      const sessions = lab.ask('control', ['get', '/apis/berth.dev/v1alpha1/bgpsessions'])
      const up = (sessions as Sessions).items.filter(({ status }) =>
        /"bgpStatus":"Established","bfdStatus":"Up"/.test(JSON.stringify(status)),
      )
      return up.length === ground.nodes.length ? true : undefined
    },
    patienceMs,
  )

async function losses(ground: Ground, count: number): Promise<void> {
  const gapsMs: number[] = []
  for (let loss = 0; loss < count; loss++) {
    const pulse = new Pulse(address)
    try {
      const home = await pulse.steady(calmMs)
      // Avoids running in step with the packets of BFD.
      await sleep(Math.random() * 500)
      const coming = pulse.moveFrom(home, patienceMs)
      loseNode(ground, home, speakersOf(ground, home))
      gapsMs.push((await coming).gapMs)
      plugIn(ground, home)
    } finally {
      pulse.close()
    }
    berthLab('heal')
    await untilUp(ground)
  }
  say(`a node is lost, BFD 50 ms x 3: the client misses ${shown(gapsMs)}`)
}

async function restarts(ground: Ground, count: number): Promise<void> {
  apply(lab, [object('BGPPeer', 'router-1', { ...peer, enableGracefulRestart: true })])
  await sleep(2_000)
  await untilUp(ground)
  const pulse = new Pulse(address)
  try {
    const home = await pulse.steady(calmMs)
    for (let restart = 0; restart < count; restart++) {
      for (const { pid } of speakersOf(ground, home)) process.kill(pid, 'SIGTERM')
      await until('its end', () => (speakersOf(ground, home).length === 0 ? true : undefined))
      berthLab('heal')
      await untilUp(ground)
      await sleep(calmMs)
    }
    say(
      `the speaker of the node that answers restarts ${count} times, with graceful restart: ` +
        `${pulse.moves.length} times another node answered, ` +
        `${pulse.pauses.length} times nobody for 100 ms`,
    )
  } finally {
    pulse.close()
  }
}

const isAsked = (part: string): boolean => values.part?.includes(part) ?? true
say(`${machine()}, ${kind}`)
const ground = newGround('--nodes', '3', '--routers', '1', '--bgp', '--bfd', '--router-kind', kind)
try {
  apply(lab, [object('BFDProfile', 'lab', profile), object('BGPPeer', 'router-1', peer)])
  await sleep(2_000)
  await untilUp(ground)
  if (isAsked('loss')) await losses(ground, Number(values.losses))
  if (isAsked('restart')) await restarts(ground, Number(values.restarts))
} finally {
  ground.down()
}
