// Is it said what a controller and a speaker still wait for, and does the list get shorter with each
// definition that comes? On a real API, with definitions that are applied one at a time.
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { berth, folderOf } from '../build/terminal.ts'
import { type Cluster, type Running, runController, startCluster } from './controllers.ts'
import { defineCrd, forgetCrd, shippedCrds } from './crds.ts'
import { kubeconfigFor } from './harness.ts'
import { aNode, Ring, type RunningSpeaker, runSpeaker, speakerVerbs } from './speakers.ts'
import { until } from './waits.ts'

const isHere = inject('kube') !== undefined
/** In the order in which they come. */
const waited = [
  { name: 'tenants.berth.dev', kind: 'Tenant', by: ['controller'] },
  { name: 'l2advertisements.metallb.io', kind: 'L2Advertisement', by: ['speaker-node-a'] },
  { name: 'addresses.berth.dev', kind: 'Address', by: ['controller'] },
  {
    name: 'ipaddresspools.metallb.io',
    kind: 'IPAddressPool',
    by: ['controller', 'speaker-node-a'],
  },
]
const kinds = waited.map(({ kind }) => kind)
let cluster: Cluster
let controller: Running | undefined
let speaker: RunningSpeaker | undefined

beforeAll(async () => {
  if (!isHere) return
  cluster = await startCluster()
  await speakerVerbs(cluster.admin).nodes.create(aNode('node-a'))
  for (const { name } of waited) await forgetCrd(cluster.admin, name)
})
afterAll(async () => {
  await controller?.stop()
  await speaker?.stop()
  await cluster?.stop()
})

const kindsIn = (text: string): string[] =>
  [...text.matchAll(/(\w+) cannot be listed/g)].map(([, kind = '']) => kind).sort()

/** Of each component, the kinds that its ConfigurationState says it cannot list. */
async function toldOf(component: string): Promise<readonly string[] | undefined> {
  const state = await cluster.states.get(component).catch(() => undefined)
  const { result, errorSummary } = state?.status ?? {}
  return result === undefined ? undefined : kindsIn(String(errorSummary))
}

async function shownOf(component: string): Promise<readonly string[]> {
  const config = folderOf({ kubeconfig: kubeconfigFor(cluster.kube, 'admin') })
  const { out } = await berth(['status', '-o', 'json', '--kubeconfig', `${config}/kubeconfig`])
  const { attention } = JSON.parse(out) as {
    readonly attention: readonly { readonly object: string; readonly message: string }[]
  }
  const about = attention.filter(({ object }) => object === `ConfigurationState/${component}`)
  return about.flatMap(({ message }) => kindsIn(message))
}

const saysOnly = (component: string, kinds: readonly string[]) =>
  until(`${component} waits for ${kinds.join() || 'nothing'}`, async () => {
    return (await toldOf(component))?.join() === kinds.join() || undefined
  })

describe.skipIf(!isHere)('what is waited for', () => {
  test('[M1.9] is listed by kind, and each that comes leaves the list', async () => {
    const [running, one] = [
      runController(cluster.kube),
      runSpeaker(cluster.kube, { ring: new Ring(), node: 'node-a' }),
    ]
    controller = running
    speaker = one
    for (let come = 0; come <= waited.length; come++) {
      const left = waited.slice(come)
      const kindsOf = (component: string) =>
        left.flatMap(({ kind, by }) => (by.includes(component) ? [kind] : [])).sort()
      for (const component of ['controller', 'speaker-node-a']) {
        await saysOnly(component, kindsOf(component))
        expect(await shownOf(component)).toEqual(kindsOf(component))
      }
      // As the readiness probes say it, once the kinds that are served have been listed.
      await until('the controller misses nothing else', () => {
        const { missing } = running.controller
        return [...missing].sort().join() === kindsOf('controller').join() || undefined
      })
      const missing = one.speaker.missing.filter((what) => kinds.includes(what))
      expect(missing.sort()).toEqual(kindsOf('speaker-node-a'))
      const [next] = left
      if (next === undefined) break
      const shipped = (await shippedCrds()).find(({ name }) => name === next.name)
      await defineCrd(cluster.admin, next.name, shipped?.json ?? {})
    }
    await until('the speaker is ready', () => one.speaker.isReady || undefined)
    await running.quiet()
    const lines = [...running.log, ...one.log].filter((line) => line.includes('could not find'))
    expect(new Set(lines).size, 'nothing is logged again and again').toBe(lines.length)
  })
})
