// How soon is a changed host answered for, and how long is nobody there when dnsmasq is killed? On
// `berth up` with 1,000 hosts, asked by a socket that does not wait.
import { type ChildProcess, spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { systemClock } from '../../src/edge/host/clock.ts'
import { type Api, newApi } from '../../src/edge/kube/api/client.ts'
import { readConnection } from '../../src/edge/kube/api/connection.ts'
import { pathOf } from '../../src/edge/kube/api/resource.ts'
import { resourceOf, typeOf } from '../../src/edge/kube/kinds.ts'
import { yamlOrFault } from '../../src/edge/manifests/parseYaml.ts'
import { until } from '../../test/kube/waits.ts'

export type Names = {
  /** From the request to the first new answer, sorted. */
  readonly changesMs: readonly number[]
  /** From the kill to the first answer of the next dnsmasq, sorted. */
  readonly gapsMs: readonly number[]
}

const namespace = 'openstack'
const [hosts, rack, changes, kills] = [1_000, 50, 300, 5]
const nameOf = (at: number): string => `host-${at}.openstack.svc`
const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url))

export async function measureNames(): Promise<Names> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-names-'))
  const child = spawn(process.execPath, [main, 'up', '--data', folder, '--port', '0'], {
    stdio: 'ignore',
  })
  try {
    const kubeconfig = join(folder, 'kubeconfig')
    const options = { kubeconfig, env: {}, home: '', parseYaml: yamlOrFault }
    const connection = await until('berth up is there', () =>
      readConnection(options).catch(() => undefined),
    )
    const api = newApi(connection)
    const figures = await withHosts(api, folder)
    api.close()
    return figures
  } finally {
    await ended(child)
    rmSync(folder, { recursive: true, force: true })
  }
}

async function ended(child: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => child.on('exit', resolve))
  child.kill('SIGTERM')
  await gone
}

async function withHosts(api: Api, folder: string): Promise<Names> {
  const post = (kind: 'DNSMasq' | 'DNSData', name: string, spec: object) =>
    api.call({
      method: 'POST',
      path: pathOf(resourceOf(kind, namespace)),
      body: { ...typeOf(kind), metadata: { name }, spec },
    })
  const spaces = pathOf(resourceOf('Namespace'))
  const space = { method: 'POST', path: spaces, body: { metadata: { name: namespace } } } as const
  await until('the API answers', () => api.call(space).catch(() => undefined))
  // The definitions come right after the API.
  const first = () => post('DNSMasq', 'dns', { options: [] }).catch(() => undefined)
  await until('DNSMasqs are served', first)
  for (let from = 0; from < hosts; from += rack) {
    await post('DNSData', `rack-${from}`, { hosts: rackOf(from, -1, '') })
  }
  const port = await until('a DNS server answers', () => portOf(api))
  const asker = new Asker(port)
  try {
    await until('all hosts are known', () => asker.ask(nameOf(hosts - 1)))
    const changesMs: number[] = []
    for (let change = 0; change < changes; change++)
      changesMs.push(await changed(api, asker, change))
    const gapsMs: number[] = []
    for (let kill = 0; kill < kills; kill++) gapsMs.push(await killed(asker, folder))
    return { changesMs: changesMs.sort(byNumber), gapsMs: gapsMs.sort(byNumber) }
  } finally {
    asker.close()
  }
}

const byNumber = (one: number, other: number): number => one - other

const rackOf = (from: number, host: number, ip: string) =>
  Array.from({ length: rack }, (_, index) => {
    const at = from + index
    return { ip: at === host ? ip : `10.0.${at >> 8}.${at & 255}`, hostnames: [nameOf(at)] }
  })

async function changed(api: Api, asker: Asker, change: number): Promise<number> {
  const host = (change * 37) % hosts
  const from = host - (host % rack)
  const ip = `10.1.${change >> 8}.${change & 255}`
  const path = pathOf(resourceOf('DNSData', namespace), `rack-${from}`)
  const contentType = 'application/merge-patch+json'
  const body = { spec: { hosts: rackOf(from, host, ip) } }
  const start = performance.now()
  await api.call({ method: 'PATCH', path, contentType, body })
  while ((await asker.ask(nameOf(host))) !== ip) await sleep(1)
  return performance.now() - start
}

async function killed(asker: Asker, folder: string): Promise<number> {
  const place = readFileSync(join(folder, 'dns'), 'utf8')
  const pid = Number(readFileSync(join(place, 'openstack.dns', 'pid'), 'utf8'))
  const start = performance.now()
  process.kill(pid, 'SIGKILL')
  while ((await asker.ask(nameOf(1))) === undefined) await sleep(1)
  const gap = performance.now() - start
  // Long enough that it does not count as ending early.
  await systemClock.sleep(11_000, new AbortController().signal)
  return gap
}

type Status = { readonly dnsAddresses?: readonly string[]; readonly readyCount?: number }

async function portOf(api: Api): Promise<number | undefined> {
  const path = pathOf(resourceOf('DNSMasq', namespace), 'dns')
  const { status = {} } = (await api.call({ method: 'GET', path })) as { status?: Status }
  const { dnsAddresses = [], readyCount } = status
  return readyCount === 1 ? Number(dnsAddresses[0]?.split(':').at(-1)) : undefined
}

/** Asks for an IPv4 address and gives up soon. */
class Asker {
  readonly #socket = createSocket('udp4')
  readonly #port: number
  #heard: ((message: Buffer) => void) | undefined
  #id = 0

  constructor(port: number) {
    this.#port = port
    this.#socket.on('message', (message) => this.#heard?.(message)).on('error', () => undefined)
  }

  close(): void {
    this.#socket.close()
  }

  ask(name: string): Promise<string | undefined> {
    const id = ++this.#id & 0xff_ff
    const labels = name
      .split('.')
      .map((label) => Buffer.from(`${String.fromCharCode(label.length)}${label}`))
    const head = Buffer.from([id >> 8, id & 255, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0])
    const question = Buffer.concat([head, ...labels, Buffer.from([0, 0, 1, 0, 1])])
    return new Promise((resolve) => {
      const late = setTimeout(() => resolve(undefined), 20)
      this.#heard = (message) => {
        if (message.readUInt16BE(0) !== id) return
        clearTimeout(late)
        const count = message.readUInt16BE(6)
        resolve(count === 0 ? undefined : [...message.subarray(-4)].join('.'))
      }
      this.#socket.send(question, this.#port, '127.0.0.1')
    })
  }
}
