// What runs on every node of a lab next to its speaker? The backend, and the rules that lead to it.
import { spawn } from 'node:child_process'
import type { Api } from '../../../edge/kube/api/client.ts'
import type { Io } from '../../cli/io.ts'
import type { Machine } from '../machine.ts'
import { pathTo } from '../tools.ts'
import { startBackend } from './backend.ts'
import { tableOf } from './dataPath.ts'
import { follow } from './follow.ts'
import { gathered } from './gathered.ts'
import { apiAt, endpointSlices, services } from './labApi.ts'
import { backendPorts } from './labObjects.ts'
import { grouped, servedBy, serviceOf } from './served.ts'
import { untilEnded } from './waits.ts'

type NodeOptions = {
  readonly machine: Machine
  readonly kubeconfig: string
  /** 'own' unless kube-proxy writes the rules. */
  readonly rules: 'own' | 'none'
}

export async function runNode({ machine, kubeconfig, rules }: NodeOptions, io: Io): Promise<void> {
  const { name, pod } = machine
  if (pod === undefined) return
  const close = await startBackend({ node: name, addresses: [pod[4], pod[6]], ports: backendPorts })
  const api = await apiAt(kubeconfig)
  try {
    if (rules === 'own') keepRules({ name, pod }, api, io)
    await untilEnded(io.signal)
  } finally {
    api.close()
    close()
  }
}

type Own = Parameters<typeof tableOf>[0]

/** Changes within this time make one table. */
const gatherMs = 30

function keepRules(own: Own, api: Api, { signal, err }: Io): void {
  let before = ''
  const changed = gathered(async () => {
    if (!known.isKnown() || !slices.isKnown()) return
    const ofService = grouped(slices.objects.values(), serviceOf)
    const served = [...known.objects].flatMap(([key, service]) =>
      servedBy(service, ofService.get(key) ?? []),
    )
    const table = tableOf(own, served)
    if (table !== before) await load(table, err)
    before = table
  }, gatherMs)
  const known = follow(api, services, { signal, changed })
  const slices = follow(api, endpointSlices, { signal, changed })
}

function load(table: string, err: (text: string) => void): Promise<void> {
  const nft = spawn(pathTo('nft'), ['-f', '-'], { stdio: ['pipe', 'inherit', 'inherit'] })
  return new Promise((resolve) => {
    nft.on('error', (error) => {
      err(`nft: ${error.message}\n`)
      resolve()
    })
    nft.on('close', () => resolve())
    nft.stdin.on('error', () => undefined)
    nft.stdin.end(table)
  })
}
