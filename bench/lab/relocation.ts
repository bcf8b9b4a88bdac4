// How soon is a cluster reached that was plugged in elsewhere? With `berth site apply`, and with
// kubectl and the objects written by hand; writes docs/bench/relocation.md. `--moves N` only prints.
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { until } from '../../test/kube/waits.ts'
import { findKubectl } from '../../test/kubectl/kubectl.ts'
import { machine } from '../machine.ts'
import { labName, listenIn, main, newGround, runIn } from './ground.ts'

const output = fileURLToPath(new URL('../../docs/bench/relocation.md', import.meta.url))
const usual = 20
const kubeconfig = `/run/berth-lab/${labName}/api/kubeconfig`
const port = '8080'

type Network = { readonly bridge: string; readonly net: string }
const places: readonly Network[] = [
  { bridge: 'br-here', net: '198.51.100' },
  { bridge: 'br-there', net: '203.0.113' },
]
const hosts = { 'node-1': 11, 'node-2': 12, 'client-1': 201 }

const say = (text: string): void => {
  const load = loadavg()[0]?.toFixed(1)
  process.stderr.write(`${(performance.now() / 1000).toFixed(0)} s: ${text} (load ${load})\n`)
}

/** Each with a router of its own. */
function buildPlaces(): void {
  const lines = places.flatMap(({ bridge, net }) => [
    `link add ${bridge} type bridge`,
    `link set ${bridge} up`,
    `address add ${net}.1/24 dev ${bridge}`,
  ])
  runIn('fabric', ['ip', '-batch', '-'], `${lines.join('\n')}\n`)
}

/** The cable, and the addresses that the installer or DHCP of the place gives. */
function plugInAt({ bridge, net }: Network): void {
  const plugs = Object.keys(hosts).map((name) => `link set ${name}-lan master ${bridge}`)
  runIn('fabric', ['ip', '-batch', '-'], `${plugs.join('\n')}\n`)
  for (const [name, host] of Object.entries(hosts)) {
    const lines = ['address flush dev eth0', `address add ${net}.${host}/24 dev eth0`]
    runIn(name, ['ip', '-4', '-batch', '-'], `${lines.join('\n')}\n`)
  }
}

type Way = {
  readonly name: string
  /** Answers whether it was taken; asked again until it is. */
  readonly move: (place: Network) => boolean
  readonly host: number
  readonly settle: () => void
}

const berthSite = (...args: readonly string[]) => {
  const command = [process.execPath, main, 'site', ...args, '--kubeconfig', kubeconfig]
  const inside = ['netns', 'exec', `berth-lab-${labName}-node-1`, 'env', 'NO_PROXY=*', ...command]
  return spawnSync('ip', inside, { encoding: 'utf8' })
}

const bySite: Way = {
  name: 'berth site apply',
  host: 50,
  move({ net }) {
    const vips = ['--api-vip', `${net}.50`, '--ingress-vip', `${net}.51`, '--prefix-length', '24']
    const rest = ['--gateway', `${net}.1`, '--interface', 'eth0', '--within', '1h']
    const { status, stderr, stdout } = berthSite('apply', ...vips, ...rest)
    if (status !== 0) lastWords = `${stdout}${stderr}`
    return status === 0
  },
  settle: () => void berthSite('commit'),
}
let lastWords = ''

function byHand(kubectl: string): Way {
  return {
    name: 'kubectl apply',
    host: 60,
    move({ net }) {
      const command = [kubectl, '--kubeconfig', kubeconfig, 'apply', '-f', '-']
      runIn('control', command, handWritten(net))
      return true
    },
    settle: () => undefined,
  }
}

const handWritten = (net: string): string =>
  ['api', 'ingress']
    .map(
      (name, at) => `
apiVersion: metallb.io/v1beta1
kind: IPAddressPool
metadata: {name: hand-${name}, namespace: metallb-system}
spec: {addresses: [${net}.${60 + at}/32], autoAssign: false}
---
apiVersion: v1
kind: Service
metadata:
  name: hand-${name}
  namespace: default
  annotations: {metallb.io/address-pool: hand-${name}, metallb.io/loadBalancerIPs: ${net}.${60 + at}}
spec:
  type: LoadBalancer
  selector: {app: echo}
  ports: [{name: http, port: ${port}, targetPort: 8080}]
---
`,
    )
    .join('')
    .concat(`
apiVersion: metallb.io/v1beta1
kind: L2Advertisement
metadata: {name: hand, namespace: metallb-system}
spec: {ipAddressPools: [hand-api, hand-ingress], interfaces: [eth0]}
`)

const site = `
apiVersion: berth.dev/v1alpha1
kind: Site
metadata: {name: cluster}
spec:
  internalNetwork: 10.20.0.0/24
  api: {namespace: default, selector: {app: echo}, port: ${port}}
  ingress: {namespace: default, selector: {app: echo}, ports: [${port}]}
`

/** From the cable to the first answered request. */
async function moved(way: Way, place: Network): Promise<number> {
  plugInAt(place)
  const start = Date.now()
  let answeredMs = 0
  const asking = ['firstAnswer.ts', `${place.net}.${way.host}`, port]
  const client = listenIn<{ atMs: number }>('client-1', asking, ({ atMs }) => {
    answeredMs = atMs
  })
  const ended = once(client, 'close')
  await until(`${way.name} is taken: ${lastWords}`, () => way.move(place) || undefined, 60_000)
  const late = setTimeout(() => client.kill('SIGKILL'), 60_000)
  await ended
  clearTimeout(late)
  if (answeredMs === 0) throw new Error(`${way.name}: no answer at ${place.net}.${way.host}`)
  way.settle()
  return answeredMs - start
}

type Measured = { readonly name: string; readonly allMs: readonly number[] }

async function measure(moves: number): Promise<readonly Measured[]> {
  const kubectl = findKubectl()
  if (!('path' in kubectl)) throw new Error(kubectl.why)
  const ground = newGround('--nodes', '2', '--clients', '1')
  try {
    buildPlaces()
    const apply = [kubectl.path, '--kubeconfig', kubeconfig, 'apply', '-f', '-']
    runIn('control', apply, site)
    const measured: Measured[] = []
    for (const way of [bySite, byHand(kubectl.path)]) {
      const allMs: number[] = []
      // The first arrival is not a move.
      for (let move = 0; move <= moves; move++) {
        const ms = await moved(way, places[move % 2] as Network)
        say(`${way.name}: ${ms} ms`)
        if (move > 0) allMs.push(ms)
      }
      measured.push({ name: way.name, allMs: allMs.sort((one, other) => one - other) })
    }
    return measured
  } finally {
    ground.down()
  }
}

const at = (sorted: readonly number[], share: number): string => {
  const ms = sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN
  return `${(ms / 1000).toFixed(2)} s`
}

const { values } = parseArgs({ options: { moves: { type: 'string' } } })
const moves = Number(values.moves ?? usual)
const told = machine()
const rows = (await measure(moves)).map(
  ({ name, allMs }) =>
    `| ${name} | ${allMs.length} | ${at(allMs, 0.5)} | ${at(allMs, 0.9)} | ${at(allMs, 1)} |`,
)
const text = `# Figures: a cluster that moves

${told}
Two nodes and a client in a lab are plugged into another bridge with another subnet and another gateway, to
and fro. From when their interfaces have the addresses of the new place until a client there gets its first
answer by HTTP at the API's address. Target: p50 under 3 s with \`berth site apply\`, which first asks on the
wire whether both addresses are free, whether the gateway answers, and who is in the internal network. With
kubectl, two pools and two Services that were written by hand beforehand are applied, and nothing is asked.
Made by \`node bench/lab/relocation.ts\`.

| | moves | p50 | p90 | max |
| --- | --- | --- | --- | --- |
${rows.join('\n')}
`
if (moves === usual) writeFileSync(output, text)
process.stdout.write(text)
