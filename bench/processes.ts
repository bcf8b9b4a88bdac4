// How long does a command take, as seen from the shell, and what is its peak memory?
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export type Ran = {
  readonly ms: number
  /** Of all threads. */
  readonly cpuMs: number
  readonly peakRssMb: number
  readonly status: number
}

export type Command = { readonly what: string; readonly args: (folder: string) => string[] }

export const commands: readonly Command[] = [
  { what: 'plan of 5,000 objects', args: (folder) => ['plan', '-f', folder] },
  { what: 'lint of 5,000 objects', args: (folder) => ['lint', '-f', folder] },
  { what: 'test of all scenarios', args: () => ['test', 'test/conformance', 'test/scenarios'] },
]

const root = fileURLToPath(new URL('..', import.meta.url))

/** The kernel's counts, read while the process lives, because they go with it. */
export function runBerth(args: readonly string[]): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const start = performance.now()
    const child = spawn('./berth', args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
    let counts = { peakRssMb: 0, cpuMs: 0 }
    const looking = setInterval(() => {
      counts = countsOf(child.pid) ?? counts
    }, 5)
    child.on('error', reject)
    child.on('exit', (status) => {
      clearInterval(looking)
      resolve({ ms: performance.now() - start, ...counts, status: status ?? -1 })
    })
  })
}

/** CPU time comes in hundredths of a second. */
function countsOf(pid: number | undefined): Pick<Ran, 'cpuMs' | 'peakRssMb'> | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const peakRssMb = Number(/VmHWM:\s*(\d+)/.exec(status)?.[1] ?? 0) / 1024
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    const cpuMs = (Number(stat[11]) + Number(stat[12])) * 10
    return peakRssMb > 0 ? { peakRssMb, cpuMs } : undefined
  } catch {
    return undefined
  }
}

const services = 4_900
const document = (json: object): string => `---\n${JSON.stringify(json)}\n`

/** 5,000 objects in YAML as people write it: Services, their pools, advertisements and nodes. */
export async function withFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'berth-bench-'))
  try {
    mkdirSync(join(folder, 'services'))
    for (let file = 0; file < services / 100; file++) {
      const texts = Array.from({ length: 100 }, (_, index) => serviceText(file * 100 + index))
      writeFileSync(join(folder, 'services', `${file}.yaml`), texts.join(''))
    }
    writeFileSync(join(folder, 'network.yaml'), networkText())
    return await use(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const serviceText = (number: number): string => `---
apiVersion: v1
kind: Service
metadata:
  name: web-${number}
  namespace: team-${number % 45}
  labels:
    app: web-${number}
  annotations:
    metallb.io/address-pool: pool-${number % 45}
    berth.dev/endpoints: node-${number % 9}
spec:
  type: LoadBalancer
  selector:
    app: web-${number}
  ports:
  - name: http
    port: 80
    protocol: TCP
  - name: https
    port: 443
    protocol: TCP
`

/** 45 pools, 45 advertisements, a peer and 9 nodes. */
function networkText(): string {
  const metallb = (kind: string, name: string, spec: object) =>
    document({
      apiVersion: `metallb.io/${kind === 'BGPPeer' ? 'v1beta2' : 'v1beta1'}`,
      kind,
      metadata: { name, namespace: 'metallb-system' },
      spec,
    })
  const pools = Array.from({ length: 45 }, (_, number) => [
    metallb('IPAddressPool', `pool-${number}`, { addresses: [`10.${number}.0.0/24`] }),
    metallb('L2Advertisement', `l2-${number}`, { ipAddressPools: [`pool-${number}`] }),
  ])
  const nodes = Array.from({ length: 9 }, (_, number) =>
    document({
      apiVersion: 'v1',
      kind: 'Node',
      metadata: {
        name: `node-${number}`,
        annotations: { 'berth.dev/interface-addresses': `eth0=10.${number}.0.250/9` },
      },
    }),
  )
  const peer = { myASN: 64500, peerASN: 64501, peerAddress: '192.0.2.1' }
  return [...pools.flat(), ...nodes, metallb('BGPPeer', 'tor', peer)].join('')
}
