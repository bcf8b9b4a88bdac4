// What does a client notice of a migration, step by step? A table of each step of `berth migrate` on
// the rig of test/migrate, in and back and to the end. METALLB_MANIFEST, METALLB_CONTROLLER and
// METALLB_SPEAKER name MetalLB's own manifest and programs; without them stand-ins take their place.
import { readFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { findEngine } from '../../test/kube/harness.ts'
import { findKubectl } from '../../test/kubectl/kubectl.ts'
import { configuration, metallbObjects, service } from '../../test/migrate/metallbObjects.ts'
import { type Rig, startRig } from '../../test/migrate/rig.ts'

const { values } = parseArgs({ options: { services: { type: 'string', default: '60' } } })
const count = Number(values.services)
const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url))
const say = (text: string): void => void process.stderr.write(`${text}\n`)

const { METALLB_MANIFEST, METALLB_CONTROLLER, METALLB_SPEAKER } = process.env
const standIn = (part: string) => [process.execPath, here('../../test/migrate/standIn.ts'), part]
const images = {
  'metallb/controller': standIn('controller'),
  'metallb/speaker': standIn('speaker'),
  ...(METALLB_CONTROLLER && { 'quay.io/metallb/controller': [METALLB_CONTROLLER] }),
  ...(METALLB_SPEAKER && { 'quay.io/metallb/speaker': [METALLB_SPEAKER] }),
}

type Wire = { readonly address: string; readonly gapMs: number; readonly doubleMs: number }

function addressesIn(rig: Rig): readonly string[] {
  const path = '{range .items[*]}{.metadata.name}={.status.loadBalancer.ingress[0].ip}{"\\n"}{end}'
  const out = rig.kubectl(['get', 'services', '-n', 'default', '-o', `jsonpath=${path}`])
  return out.split('\n').filter((line) => /=\d/.test(line))
}

/** Installs and waits until all is announced; MetalLB's webhooks may refuse at first. */
async function install(rig: Rig): Promise<void> {
  if (METALLB_MANIFEST === undefined) {
    rig.kubectl(['create', 'namespace', 'metallb-system'])
    rig.kubectl(['apply', '--server-side', '-f', 'deploy/crds'])
  } else rig.kubectl(['apply', '--server-side', '-f', '-'], readFileSync(METALLB_MANIFEST, 'utf8'))
  await sleep(3_000)
  const own = METALLB_MANIFEST === undefined ? metallbObjects : []
  const names = Array.from({ length: count }, (_, at) => `web-${at + 1}`)
  const items = [...own, ...configuration, ...names.flatMap(service)]
  const all = JSON.stringify({ apiVersion: 'v1', kind: 'List', items })
  await until(() => void rig.kubectl(['apply', '-f', '-'], all))
  await until(() => {
    const out = rig.kubectl(['get', 'servicel2statuses', '-n', 'metallb-system', '-o', 'name'])
    if (out.trim().split('\n').length < count) throw new Error('not all are announced')
  })
  rig.shell('kubectl apply -k deploy/kustomize/beside-metallb')
  await until(() => {
    const { steps } = JSON.parse(rig.shell('berth migrate plan -o json').out)
    if (steps[0].done !== true) throw new Error('Berth does not run yet')
  })
}

async function until(look: () => void): Promise<void> {
  for (const endMs = performance.now() + 120_000; ; ) {
    try {
      return look()
    } catch (error) {
      if (performance.now() > endMs) throw error
      await sleep(1_000)
    }
  }
}

/** A row of the table. */
async function measured(rig: Rig, what: string, command: string): Promise<void> {
  const before = addressesIn(rig)
  const ips = before.map((line) => line.split('=')[1]).join(' ')
  const watching = rig.start(
    `exec '${process.execPath}' '${here('watchWire.ts')}' eth0 10.10.0.2 ${ips}`,
  )
  let text = ''
  watching.stdout?.on('data', (chunk) => {
    text += String(chunk)
  })
  await sleep(1_500)
  const begunMs = performance.now()
  const ran = await runOn(rig, command)
  const seconds = ((performance.now() - begunMs) / 1_000).toFixed(0)
  await sleep(1_000)
  const ended = new Promise((resolve) => watching.on('exit', resolve))
  watching.kill('SIGTERM')
  await ended
  const rows: readonly Wire[] = JSON.parse(text)
  const gaps = rows.map(({ gapMs }) => gapMs).sort((one, other) => one - other)
  const double = rows.filter(({ doubleMs }) => doubleMs > 0)
  const longest = Math.max(0, ...double.map(({ doubleMs }) => doubleMs))
  const now = new Set(addressesIn(rig))
  const changed = before.filter((line) => !now.has(line)).length
  const s = (ms: number | undefined): string => `${((ms ?? 0) / 1_000).toFixed(2)} s`
  const twice = double.length === 0 ? 'none' : `${double.length}, ${s(longest)}`
  const cells = [what, `${changed} of ${before.length}`, `${seconds} s`, s(gaps[gaps.length >> 1])]
  process.stdout.write(`| ${[...cells, s(gaps.at(-1)), twice].join(' | ')} |\n`)
  say(`${what}: exit ${ran.exit}, load ${loadavg()[0]?.toFixed(1)}`)
  if (ran.exit !== 0) throw new Error(ran.err)
}

type Ran = { readonly exit: number | null; readonly err: string }

/** Not blocking: what the watcher says has to be read meanwhile. */
function runOn(rig: Rig, command: string): Promise<Ran> {
  const child = rig.start(command)
  let err = ''
  child.stderr?.on('data', (chunk) => {
    err += String(chunk)
  })
  child.stdout?.resume()
  return new Promise((resolve) => child.on('exit', (exit) => resolve({ exit, err })))
}

const [engine, kubectl] = [findEngine(), findKubectl()]
if ('why' in engine || 'why' in kubectl) throw new Error('the programs of Kubernetes are missing')
const rig = await startRig({ engine: engine.folder, kubectl: kubectl.path, images })
try {
  await install(rig)
  process.stdout.write(
    '| step | addresses changed | took | gap, median | gap, max | two answers |\n',
  )
  process.stdout.write('| --- | --- | --- | --- | --- | --- |\n')
  await measured(rig, 'nothing, for comparison', 'sleep 10')
  const steps = ['speakers', 'controller', ...rig.nodes]
  for (const step of steps) await measured(rig, `\`${step}\``, `berth migrate step ${step}`)
  await measured(rig, '`back`, all steps', 'berth migrate back')
  rig.shell('kubectl apply -k deploy/kustomize/beside-metallb')
  await sleep(20_000)
  await measured(rig, '`step --all`', 'berth migrate step --all')
  await measured(rig, '`finish`', 'berth migrate finish')
} finally {
  await rig.stop()
}
