// Proves which pods silence a speaker: only those of MetalLB that answer on this node.
import { expect, onTestFinished, test, vi } from 'vitest'
import { apiTo, rawServer, sendJson } from '../../../test/build/rawServer.ts'
import { besideSpeaker } from './besideSpeaker.ts'

type Pod = { labels?: object; node?: string; phase?: string; ready?: string }

const podOf = ({ labels, node = 'node-a', phase = 'Running', ready = 'True' }: Pod) => ({
  metadata: {
    name: 'speaker-x',
    labels: labels ?? { app: 'metallb', component: 'speaker' },
    resourceVersion: '2',
  },
  spec: { nodeName: node },
  status: { phase, conditions: [{ type: 'Ready', status: ready }] },
})

async function isSilencedBy(pod: Pod): Promise<boolean> {
  const server = await rawServer((_, response, count) => {
    const metadata = { resourceVersion: '1' }
    if (count === 0) {
      sendJson(response, { apiVersion: 'v1', kind: 'PodList', metadata, items: [podOf(pod)] })
    } else response.writeHead(200, { 'Content-Type': 'application/json' }).flushHeaders()
  })
  const api = apiTo(server)
  const stop = new AbortController()
  const clock = { nowMs: () => 0, sleep: async () => undefined }
  const rest = { random: () => 1, log: () => undefined, changed: () => undefined }
  const place = { namespace: 'metallb-system', node: 'node-a' }
  const beside = besideSpeaker({ api, clock, ...rest }, place)
  const ended = beside.run(stop.signal)
  await vi.waitFor(() => expect(server.asked).toHaveLength(2))
  onTestFinished(async () => {
    stop.abort()
    api.close()
    await ended
  })
  return !beside.isAlone
}

test.each<{ what: string; pod: Pod; isSilent: boolean }>([
  { what: 'running and ready', pod: {}, isSilent: true },
  { what: 'hanging in Pending', pod: { phase: 'Pending', ready: 'False' }, isSilent: false },
  { what: 'running and not ready', pod: { ready: 'False' }, isSilent: false },
  { what: 'over', pod: { phase: 'Succeeded' }, isSilent: false },
  { what: 'on another node', pod: { node: 'node-b' }, isSilent: false },
  { what: "MetalLB's controller", pod: { labels: { app: 'metallb' } }, isSilent: false },
])('a pod that is $what: silent $isSilent', async ({ pod, isSilent }) => {
  expect(await isSilencedBy(pod)).toBe(isSilent)
})
