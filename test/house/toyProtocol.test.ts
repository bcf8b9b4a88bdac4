// Is a new protocol one object in the speaker's list? A toy that shouts addresses, and edits nothing
// else, runs on the embedded API beside one that cannot start.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Protocol, ProtocolEntry, ProtocolHost } from '../../src/app/speaker/protocol.ts'
import { Speaker } from '../../src/app/speaker/speaker.ts'
import type { Kind } from '../../src/core/model/view.ts'
import type { Ip } from '../../src/core/net/ip.ts'
import { systemClock } from '../../src/edge/host/clock.ts'
import { type Api, newApi } from '../../src/edge/kube/api/client.ts'
import { Fault } from '../../src/edge/kube/api/fault.ts'
import { core, verbs } from '../kube/cluster.ts'
import { ownNamespace, pool } from '../kube/controllers.ts'
import { installCrds } from '../kube/crds.ts'
import { startEmbedded } from '../kube/embedded.ts'
import { connectionFor, type Kube } from '../kube/harness.ts'
import { aNode, served, speakerVerbs } from '../kube/speakers.ts'
import { until } from '../kube/waits.ts'

type Shout = { readonly addresses: readonly Ip[] }

// One protocol: this node shouts every address that a Service has.
function shouting(heard: Set<string>, kinds: readonly Kind[] = []): ProtocolEntry<Shout> {
  return {
    name: 'shouting',
    kinds,
    start: ({ world, wanted }: ProtocolHost<Shout>): Protocol<Shout> => ({
      missing: [],
      ended: new Promise<never>(() => undefined),
      report: {
        *announced() {
          for (const [service, { addresses }] of wanted) {
            for (const address of addresses) yield { service, address }
          }
        },
        problems: async () => [],
        complaints: () => [],
        metrics: () => [],
      },
      stateChanged: () => undefined,
      worldChanged: () => undefined,
      wants(service) {
        const addresses = world.services.get(service)?.ingress ?? []
        return addresses.length === 0 ? undefined : { addresses }
      },
      apply({ before, after }) {
        for (const address of before?.addresses ?? []) heard.delete(address)
        for (const address of after?.addresses ?? []) heard.add(address)
      },
      flush: () => undefined,
      settled: () => undefined,
      leave: async () => heard.clear(),
      stop: async () => undefined,
    }),
  }
}

const broken: ProtocolEntry = {
  name: 'broken',
  kinds: [],
  start() {
    throw new Error('it has no voice')
  },
}

let kube: Kube
let admin: Api

beforeAll(async () => {
  kube = await startEmbedded()
  admin = newApi(connectionFor(kube, 'admin'))
  await installCrds(admin)
  await verbs(admin, core('namespaces')).create({ metadata: { name: ownNamespace } })
})

afterAll(async () => {
  admin.close()
  await kube.stop()
})

type Given = { readonly api?: Api; readonly log?: string[] }

function speakerWith(protocols: readonly ProtocolEntry[], { api, log = [] }: Given = {}): Speaker {
  return new Speaker({
    api: api ?? newApi(connectionFor(kube, 'admin')),
    settings: { ownNamespace, loadBalancerClass: '' },
    node: 'node-1',
    clock: systemClock,
    random: Math.random,
    timestamp: () => new Date().toISOString(),
    log: (entry) => log.push(JSON.stringify(entry)),
    shouldIgnoreExcludeLabel: false,
    protocols,
  })
}

/** Without the right to list these. */
function forbidding(plural: string): Api {
  const api = newApi(connectionFor(kube, 'admin'))
  const refuse = (path: string): void => {
    if (path.endsWith(`/${plural}`)) throw new Fault(`no ${plural}`)
  }
  return {
    async call(request) {
      refuse(request.path)
      return api.call(request)
    },
    async *stream(request) {
      refuse(request.path)
      yield* api.stream(request)
    },
    close: () => api.close(),
  }
}

test('the speaker runs it, whatever becomes of another', async () => {
  const { nodes, pools } = speakerVerbs(admin)
  await nodes.create(aNode('node-1'))
  await pools.create(pool('lan', ['192.0.2.0/28']))
  await served(admin, 'default', { name: 'web', ip: '192.0.2.1' })
  const heard = new Set<string>()
  const log: string[] = []
  const end = new AbortController()
  const speaker = speakerWith([broken, shouting(heard)], { log })
  const ended = speaker.run(end.signal)
  await until('it shouts the address', () => (heard.has('192.0.2.1') ? true : undefined))
  expect(speaker.isReady).toBe(false)
  expect(log.join('\n')).toContain('it has no voice')
  await verbs(admin, core('services', 'default')).remove('web')
  await until('it is silent about it', () => (heard.has('192.0.2.1') ? undefined : true))
  await served(admin, 'default', { name: 'again', ip: '192.0.2.2' })
  await until('it shouts the next one', () => (heard.has('192.0.2.2') ? true : undefined))
  end.abort()
  await ended
  expect(heard).toEqual(new Set())
})

test('a speaker is ready from the first decision of each protocol until it leaves', async () => {
  const seen = { deciding: new Set<string>(), leaving: new Set<string>() }
  const plain = shouting(new Set())
  const watching: ProtocolEntry<Shout> = {
    ...plain,
    start(host) {
      const protocol = plain.start(host)
      const look = (at: keyof typeof seen) => {
        for (const missing of speaker.missing) seen[at].add(missing)
      }
      return {
        ...protocol,
        wants(service) {
          if (!speaker.isReady) look('deciding')
          return protocol.wants(service)
        },
        leave: async () => look('leaving'),
      }
    },
  }
  const end = new AbortController()
  const speaker: Speaker = speakerWith([watching])
  const ended = speaker.run(end.signal)
  await until('it is ready', () => (speaker.isReady ? true : undefined))
  expect([...seen.deciding]).toEqual(['the first decisions of protocol shouting'])
  end.abort()
  await ended
  expect([...seen.leaving]).toContain('other nodes to take over')
})

test('it waits for its own kinds, and not for those of another', async () => {
  const [waiting, heard] = [new Set<string>(), new Set<string>()]
  const end = new AbortController()
  const speaker = speakerWith(
    [shouting(waiting, ['BFDProfile']), shouting(heard, ['L2Advertisement'])],
    { api: forbidding('bfdprofiles') },
  )
  const ended = speaker.run(end.signal)
  await until('it shouts', () => (heard.size > 0 ? true : undefined))
  const undecided = 'the first decisions of protocol shouting'
  expect([...waiting, ...speaker.missing]).toEqual(['BFDProfile', undecided])
  expect([speaker.isReady, speaker.isIn]).toEqual([false, false])
  expect(speaker.news().complaints?.join()).toContain('BFDProfile cannot be listed')
  end.abort()
  await ended
})
