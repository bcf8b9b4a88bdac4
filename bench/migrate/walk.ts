// What does a client notice of a migration, step by step? A table of each step of `berth migrate` on
// the rig of test/migrate, in and back and to the end. METALLB_MANIFEST or METALLB_CHART names MetalLB's
// own manifest or chart, and METALLB_IMAGES (JSON) what to start for an image; without them stand-ins
// take their place. With --routed N a router has a session with each node.
import { readFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { findEngine } from '../../test/kube/harness.ts'
import { findHelm } from '../../test/kube/helm/helm.ts'
import { findKubectl } from '../../test/kubectl/kubectl.ts'
import { metallbObjects } from '../../test/migrate/metallbObjects.ts'
import { type Rig, startRig } from '../../test/migrate/rig.ts'
import { noticed, type Wire, watched, wireWatcher } from '../../test/migrate/watched.ts'
import { configured } from './configured.ts'
import { routerSocket, startRouter } from './router.ts'

const { values } = parseArgs({
  options: {
    services: { type: 'string', default: '60' },
    six: { type: 'string', default: '0' },
    routed: { type: 'string', default: '0' },
    'routed-six': { type: 'string', default: '0' },
    /** What is applied to install Berth. */
    berth: { type: 'string', default: 'deploy/kustomize/beside-metallb' },
    /** A command before the first step, as where `berth migrate check` asks for one. */
    first: { type: 'string', default: '' },
    /** How many of the addresses on layer 2 are asked for, and how often: finer, and no more load. */
    asked: { type: 'string', default: '25' },
    'every-ms': { type: 'string', default: '20' },
    /** How long MetalLB's BGP sessions get to come up. */
    settle: { type: 'string', default: '20' },
    /** Each step and the way back; all of them at once and to the end. */
    parts: { type: 'string', default: 'steps,all' },
  },
})
const counts = {
  four: Number(values.services),
  six: Number(values.six),
  routed: Number(values.routed),
  routedSix: Number(values['routed-six']),
}
const hasRouter = counts.routed + counts.routedSix > 0
const migrate = (what: string): string => `berth migrate ${what} --settle ${values.settle}`
const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url))
const s = (ms: number): string => `${(ms / 1_000).toFixed(2)} s`
const say = (text: string): void => void process.stderr.write(`${text}\n`)

const { METALLB_MANIFEST, METALLB_CHART, METALLB_IMAGES } = process.env
const isReal = (METALLB_MANIFEST ?? METALLB_CHART) !== undefined
const standIn = (part: string) => [process.execPath, here('../../test/migrate/standIn.ts'), part]
const images = {
  'metallb/controller': standIn('controller'),
  'metallb/speaker': standIn('speaker'),
  ...JSON.parse(METALLB_IMAGES ?? '{}'),
}

function addressesIn(rig: Rig): readonly string[] {
  const path = '{range .items[*]}{.metadata.name}={.status.loadBalancer.ingress[0].ip}{"\\n"}{end}'
  const out = rig.kubectl(['get', 'services', '-n', 'default', '-o', `jsonpath=${path}`])
  return out.split('\n').filter((line) => /^(web|six|bgp|bgpsix)-\d+=[\da-f]/.test(line))
}

function must(rig: Rig, command: string): void {
  const ran = rig.shell(command)
  if (ran.exit !== 0) throw new Error(`${command}: ${ran.out}${ran.err}`)
}

async function installMetallb(rig: Rig): Promise<void> {
  if (METALLB_CHART !== undefined) {
    const set = process.env['METALLB_CHART_SET'] ?? ''
    must(rig, `helm install metallb ${METALLB_CHART} -n metallb-system --create-namespace ${set}`)
  } else if (METALLB_MANIFEST !== undefined) {
    const manifest = readFileSync(METALLB_MANIFEST, 'utf8')
    await until(() => void rig.kubectl(['apply', '--server-side', '-f', '-'], manifest))
  } else {
    rig.kubectl(['create', 'namespace', 'metallb-system'])
    rig.kubectl(['apply', '--server-side', '-f', 'deploy/crds'])
  }
}

/** Installs and waits until all is announced; MetalLB's webhooks may refuse at first. */
async function install(rig: Rig): Promise<void> {
  await installMetallb(rig)
  await sleep(3_000)
  const items = [...(isReal ? [] : metallbObjects), ...configured(counts)]
  const all = JSON.stringify({ apiVersion: 'v1', kind: 'List', items })
  await until(() => void rig.kubectl(['apply', '-f', '-'], all))
  await until(() => {
    const said = (kind: string) =>
      rig.kubectl(['get', kind, '-n', 'metallb-system', '-o', 'name']).split('\n').length - 1
    const [layer2, bgp] = [said('servicel2statuses'), said('servicebgpstatuses')]
    if (layer2 < counts.four + counts.six) throw new Error(`${layer2} on layer 2`)
    const routes = (counts.routed + counts.routedSix) * rig.nodes.length
    if (bgp < routes) throw new Error(`${bgp} routes`)
  })
  applyBerth(rig)
  await until(() => {
    const { steps } = JSON.parse(rig.shell('berth migrate plan -o json').out)
    if (steps[0].done !== true) throw new Error('Berth does not run yet')
  })
}

const applyBerth = (rig: Rig): void => must(rig, `kubectl apply -k ${values.berth}`)

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

/** As many as are asked for, from all over. */
function sampled(ips: readonly string[]): readonly string[] {
  const step = Math.max(1, Math.floor(ips.length / Number(values.asked)))
  return ips.filter((_, at) => at % step === 0)
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
  const routes = [here('watchRoutes.ts'), routerSocket(rig)]
  const routed = ipsOf(/^bgp/)
  let end = (): void => undefined
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  const onPeers = peersRead(rig, () => ended)
  const onRouter = routed.length === 0 ? [] : watched(rig, routed, () => ended, routes)
  const watcher = wireWatcher(Number(values['every-ms']))
  const rows = await watched(rig, sampled(ipsOf(/^(web|six)/)), work, watcher).finally(end)
  const { gapMs: unreadMs } = await onPeers
  const seen = (await onRouter) as readonly (Wire & { readonly fewest: number })[]
  const lost = Math.max(0, ...seen.map(({ gapMs }) => gapMs))
  const fewest = Math.min(...seen.map((one) => one.fewest))
  const now = new Set(addressesIn(rig))
  const changed = before.filter((line) => !now.has(line)).length
  // What the machine costs: nobody let go of these, and nobody took them over.
  const still = rows.filter(({ macs }) => macs === 1)
  const stayed = still.length === 0 ? '' : s(Math.max(...still.map(({ gapMs }) => gapMs)))
  const cells = [what, `${changed} of ${before.length}`, `${seconds} s`, noticed(rows), stayed]
  const gone = hasRouter ? [s(lost), fewest, s(unreadMs)] : []
  process.stdout.write(`| ${[...cells, ...gone].join(' | ')} |\n`)
  const worst = rows.toSorted((one, other) => other.gapMs - one.gapMs)[0]
  say(`${what}: exit ${ran.exit}, load ${loadavg()[0]?.toFixed(1)}; ${JSON.stringify(worst)}`)
  if (ran.exit !== 0) throw new Error(ran.err)
}

/** A peer in its older version, which a webhook converts. */
async function peersRead(rig: Rig, ended: () => Promise<void>): Promise<{ gapMs: number }> {
  if (!hasRouter) return { gapMs: 0 }
  const program = here('../../test/migrate/watchPeers.ts')
  const child = rig.start(`exec '${process.execPath}' '${program}' tor`)
  const chunks: string[] = []
  child.stdout?.on('data', (chunk) => chunks.push(String(chunk)))
  const exited = new Promise((resolve) => child.on('exit', resolve))
  await ended()
  child.kill('SIGTERM')
  await exited
  say(`v1beta1: ${chunks.join('').trim()}`)
  return JSON.parse(chunks.join(''))
}

type Ran = { readonly exit: number | null; readonly err: string }

/** Not blocking: what the watcher says has to be read meanwhile. */
function runOn(rig: Rig, command: string): Promise<Ran> {
  // In a cluster it runs on another machine than the speakers.
  const child = rig.start(`exec nice -n 10 ${command}`)
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
const rig = await startRig({ ...programs, images, isControlApart: true })
const stopRouter = hasRouter ? startRouter(rig) : () => undefined
try {
  await install(rig)
  const more = hasRouter ? ['no route, max', 'fewest paths', 'v1beta1 unreadable'] : []
  const gaps = ['gap, median', 'gap, max', 'two answers', 'gap, max, of those that stayed']
  const heads = ['step', 'addresses changed', 'took', ...gaps]
  process.stdout.write(`| ${[...heads, ...more].join(' | ')} |\n`)
  process.stdout.write(`| ${[...heads, ...more].map(() => '---').join(' | ')} |\n`)
  await measured(rig, 'nothing, for comparison', 'sleep 10')
  if (values.first !== '') await measured(rig, `\`${values.first}\``, values.first)
  const parts = values.parts.split(',')
  if (parts.includes('steps')) {
    const keeps = METALLB_CHART === undefined ? [] : ['keep']
    const steps = [...keeps, 'speakers', 'controller', ...rig.nodes]
    for (const step of steps) await measured(rig, `\`${step}\``, migrate(`step ${step}`))
    await measured(rig, '`back`, all steps', migrate('back'))
  }
  if (parts.includes('all')) {
    applyBerth(rig)
    await sleep(20_000)
    await measured(rig, '`step --all`', migrate('step --all'))
    if (METALLB_CHART !== undefined) {
      await measured(rig, '`helm uninstall`', 'helm -n metallb-system uninstall metallb')
    }
    await measured(rig, '`finish`', migrate('finish'))
  }
} finally {
  stopRouter()
  await rig.stop()
}
