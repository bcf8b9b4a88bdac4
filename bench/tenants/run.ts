// What do many tenants cost on a real API server? One run; writes docs/bench/tenants.md. `--tenants N`
// makes a quick run that only prints to standard output.
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Seen } from '../kube/seen.ts'
import { buildTown, installCrds } from '../kube/town.ts'
import { machine } from '../machine.ts'
import { createTenants, populate, type Size } from './estate.ts'
import type { Settled } from './measures.ts'
import { type Bare, bare, cleared, oneEdited, relabelled, restarted, settled } from './measures.ts'
import { type Figures, page } from './report.ts'

const output = fileURLToPath(new URL('../../docs/bench/tenants.md', import.meta.url))
const root = fileURLToPath(new URL('../..', import.meta.url))
/** Other projects' kind: without Multus it is not served. */
const attachments = 'deploy/embedded/k8s.cni.cncf.io_network-attachment-definitions.yaml'
const usual = 100
/** The server's speed varies within minutes, so that both are measured in turn. */
const turns = 3

const say = (text: string): void => {
  const load = loadavg()[0]?.toFixed(1)
  process.stderr.write(`${(performance.now() / 1000).toFixed(0)} s: ${text} (load ${load})\n`)
}

async function measure(size: Size): Promise<Figures> {
  const town = await buildTown()
  const seen = new Seen(town.api)
  const ground = { town, seen, size }
  try {
    await installCrds(town.api, attachments)
    await populate(town, size)
    await createTenants(town, size)
    say(`${size.tenants} tenants and their Services are there`)
    const rounds: { bare: Bare; settled: Settled }[] = []
    const count = size.tenants === usual ? turns : 1
    for (let turn = 1; turn <= count; turn++) {
      const alone = await bare(ground)
      say(`${alone.writes} bare writes in ${(alone.ms / 1000).toFixed(1)} s`)
      await cleared(ground)
      const [ours, daemon] = await settled(ground)
      say(`settled in ${(ours.readyMs / 1000).toFixed(1)} s`)
      rounds.push({ bare: alone, settled: ours })
      await daemon.stop()
      if (turn < count) await cleared(ground)
    }
    const [again, daemon] = await restarted(ground)
    say('restarted')
    const edited = await oneEdited(ground)
    say(`one edited in ${edited.ms.toFixed(0)} ms`)
    const labels = size.tenants * 10
    const moved = await relabelled(ground, labels)
    say(`${labels} namespaces relabelled`)
    const cost = daemon.cost()
    await daemon.stop()
    return { size, rounds, again, edited, relabelled: { ...moved, count: labels }, cost }
  } finally {
    seen.close()
    await town.stop()
  }
}

const { values } = parseArgs({ options: { tenants: { type: 'string' } } })
const tenants = Number(values.tenants ?? usual)
const built = spawnSync('tsc', ['-b', 'src'], { cwd: root, stdio: 'inherit' })
if (built.status !== 0) throw new Error('building dist/ failed')
const told = machine()
const text = page(told, await measure({ tenants, networks: 8, services: 30 }))
if (tenants === usual) writeFileSync(output, text)
process.stdout.write(text)
