// What does a client notice of a migration, step by step? A table of each step of `berth migrate` on
// the rig of test/migrate, in and back and to the end. METALLB_MANIFEST or METALLB_CHART,
// METALLB_CONTROLLER and METALLB_SPEAKER name MetalLB's own manifest or chart and programs; without
// them stand-ins take their place. With --gobgp FOLDER a router has a session with each node.
import { readFileSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { findEngine } from '../../test/kube/harness.ts'
import { findHelm } from '../../test/kube/helm/helm.ts'
import { findKubectl } from '../../test/kubectl/kubectl.ts'
import { metallbObjects } from '../../test/migrate/metallbObjects.ts'
import { clientAddresses, type Rig, startRig } from '../../test/migrate/rig.ts'
import { noticed, watched } from '../../test/migrate/watched.ts'
import { configured } from './configured.ts'

const { values } = parseArgs({
  options: {
    services: { type: 'string', default: '60' },
    six: { type: 'string', default: '0' },
    routed: { type: 'string', default: '20' },
    gobgp: { type: 'string', default: '' },
    /** Only up to the last node, and back. */
    short: { type: 'boolean', default: false },
  },
})
const counts = {
  four: Number(values.services),
  six: Number(values.six),
  routed: values.gobgp === '' ? 0 : Number(values.routed),
}
const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url))
const say = (text: string): void => void process.stderr.write(`${text}\n`)

const { METALLB_MANIFEST, METALLB_CHART, METALLB_CONTROLLER, METALLB_SPEAKER } = process.env
const isReal = (METALLB_MANIFEST ?? METALLB_CHART) !== undefined
const standIn = (part: string) => [process.execPath, here('../../test/migrate/standIn.ts'), part]
const images = {
  'metallb/controller': standIn('controller'),
  'metallb/speaker': standIn('speaker'),
  ...(METALLB_CONTROLLER && { 'quay.io/metallb/controller': [METALLB_CONTROLLER] }),
  ...(METALLB_SPEAKER && { 'quay.io/metallb/speaker': [METALLB_SPEAKER] }),
}

function addressesIn(rig: Rig): readonly string[] {
  const path = '{range .items[*]}{.metadata.name}={.status.loadBalancer.ingress[0].ip}{"\\n"}{end}'
  const out = rig.kubectl(['get', 'services', '-n', 'default', '-o', `jsonpath=${path}`])
  return out.split('\n').filter((line) => /^(web|six|bgp)-\d+=[\da-f]/.test(line))
}

function must(rig: Rig, command: string): void {
  const ran = rig.shell(command)
  if (ran.exit !== 0) throw new Error(`${command}: ${ran.out}${ran.err}`)
}

function installMetallb(rig: Rig): void {
  if (METALLB_CHART !== undefined) {
    const set = process.env['METALLB_CHART_SET'] ?? ''
    must(rig, `helm install metallb ${METALLB_CHART} -n metallb-system --create-namespace ${set}`)
  } else if (METALLB_MANIFEST !== undefined) {
    rig.kubectl(['apply', '--server-side', '-f', '-'], readFileSync(METALLB_MANIFEST, 'utf8'))
  } else {
    rig.kubectl(['create', 'namespace', 'metallb-system'])
    rig.kubectl(['apply', '--server-side', '-f', 'deploy/crds'])
  }
}

/** A router that takes a session from any node. */
function startRouter(rig: Rig): void {
  if (values.gobgp === '') return
  const file = join(rig.folder, 'gobgpd.toml')
  const lines = [
    ...['[global.config]', 'as = 64512', `router-id = "${clientAddresses.lan4}"`],
    ...['[[peer-groups]]', '[peer-groups.config]', 'peer-group-name = "nodes"', 'peer-as = 64513'],
    ...['[[dynamic-neighbors]]', '[dynamic-neighbors.config]'],
    ...['prefix = "10.10.0.0/16"', 'peer-group = "nodes"'],
  ]
  writeFileSync(file, `${lines.join('\n')}\n`)
  rig.start(
    `exec timeout 3600 '${values.gobgp}/gobgpd' -f '${file}' > '${rig.folder}/gobgpd.log' 2>&1`,
  )
}

/** Installs and waits until all is announced; MetalLB's webhooks may refuse at first. */
async function install(rig: Rig): Promise<void> {
  startRouter(rig)
  installMetallb(rig)
  await sleep(3_000)
  const items = [...(isReal ? [] : metallbObjects), ...configured(counts)]
  const all = JSON.stringify({ apiVersion: 'v1', kind: 'List', items })
  await until(() => void rig.kubectl(['apply', '-f', '-'], all))
  await until(() => {
    const said = (kind: string) =>
      rig.kubectl(['get', kind, '-n', 'metallb-system', '-o', 'name']).split('\n').length - 1
    const [layer2, bgp] = [said('servicel2statuses'), said('servicebgpstatuses')]
    if (layer2 < counts.four + counts.six) throw new Error(`${layer2} on layer 2`)
    if (bgp < counts.routed * rig.nodes.length) throw new Error(`${bgp} routes`)
  })
  applyBerth(rig)
  await until(() => {
    const { steps } = JSON.parse(rig.shell('berth migrate plan -o json').out)
    if (steps[0].done !== true) throw new Error('Berth does not run yet')
  })
}

const applyBerth = (rig: Rig): void => must(rig, 'kubectl apply -k deploy/kustomize/beside-metallb')

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
  const ipsOf = (name: RegExp) =>
    before.filter((line) => name.test(line)).flatMap((line) => line.split('=')[1] ?? [])
  let [seconds, ran]: [string, Ran] = ['', { exit: null, err: '' }]
  const work = async () => {
    const begunMs = performance.now()
    ran = await runOn(rig, command)
    seconds = ((performance.now() - begunMs) / 1_000).toFixed(0)
  }
  const routes = [here('watchRoutes.ts'), join(values.gobgp, 'gobgp')]
  const routed = ipsOf(/^bgp/)
  let end = (): void => undefined
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  const onRouter = routed.length === 0 ? [] : watched(rig, routed, () => ended, routes)
  const rows = await watched(rig, ipsOf(/^(web|six)/), work).finally(end)
  const lost = Math.max(0, ...(await onRouter).map(({ gapMs }) => gapMs))
  const now = new Set(addressesIn(rig))
  const changed = before.filter((line) => !now.has(line)).length
  const cells = [what, `${changed} of ${before.length}`, `${seconds} s`, noticed(rows)]
  const gone = counts.routed === 0 ? [] : [`${(lost / 1_000).toFixed(2)} s`]
  process.stdout.write(`| ${[...cells, ...gone].join(' | ')} |\n`)
  const worst = rows.toSorted((one, other) => other.gapMs - one.gapMs)[0]
  say(`${what}: exit ${ran.exit}, load ${loadavg()[0]?.toFixed(1)}; ${JSON.stringify(worst)}`)
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

const [engine, kubectl, helm] = [findEngine(), findKubectl(), findHelm()]
if ('why' in engine || 'why' in kubectl || 'why' in helm) {
  throw new Error('the programs of Kubernetes are missing')
}
const programs = { engine: engine.folder, kubectl: kubectl.path, helm: helm.path }
const rig = await startRig({ ...programs, images })
try {
  await install(rig)
  const more = counts.routed === 0 ? [] : ['no route, max']
  const heads = ['step', 'addresses changed', 'took', 'gap, median', 'gap, max', 'two answers']
  process.stdout.write(`| ${[...heads, ...more].join(' | ')} |\n`)
  process.stdout.write(`| ${[...heads, ...more].map(() => '---').join(' | ')} |\n`)
  await measured(rig, 'nothing, for comparison', 'sleep 10')
  const keeps = METALLB_CHART === undefined ? [] : ['keep']
  const steps = [...keeps, 'speakers', 'controller', ...rig.nodes]
  for (const step of steps) await measured(rig, `\`${step}\``, `berth migrate step ${step}`)
  await measured(rig, '`back`, all steps', 'berth migrate back')
  if (!values.short) {
    applyBerth(rig)
    await sleep(20_000)
    await measured(rig, '`step --all`', 'berth migrate step --all')
    if (METALLB_CHART !== undefined) {
      await measured(rig, '`helm uninstall`', 'helm -n metallb-system uninstall metallb')
    }
    await measured(rig, '`finish`', 'berth migrate finish')
  }
} finally {
  await rig.stop()
}
