// What does a test do inside a namespace? One word each; what it found is JSON on standard output.
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import process from 'node:process'
import { json } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Ip } from '../../src/core/net/ip.ts'
import type { Mac } from '../../src/core/net/mac.ts'
import { broadcastMac, decodeArp, encodeArp, noMac } from '../../src/core/wire/arp.ts'
import { arpFilter } from '../../src/edge/host/packet/filters.ts'
import { openPacketSocket } from '../../src/edge/host/packet/packetSocket.ts'
import { type Api, newApi } from '../../src/edge/kube/api/client.ts'
import { readConnection } from '../../src/edge/kube/api/connection.ts'
import { ApiError } from '../../src/edge/kube/api/fault.ts'
import { yamlOrFault } from '../../src/edge/manifests/parseYaml.ts'

type Written = { readonly path: string; readonly body: unknown }

/** Server-side apply of all, many at a time. */
async function apply(api: Api, objects: readonly Written[]): Promise<number> {
  const query = { fieldManager: 'test', force: 'true' }
  const contentType = 'application/apply-patch+yaml'
  await Promise.all(
    objects.map(({ path, body }) => api.call({ method: 'PATCH', path, query, contentType, body })),
  )
  return objects.length
}

/** Cheaper than to apply, where nothing is there yet. */
async function create(api: Api, objects: readonly Written[]): Promise<number> {
  const collection = ({ path }: Written): string => path.slice(0, path.lastIndexOf('/'))
  await Promise.all(
    objects.map((one) => api.call({ method: 'POST', path: collection(one), body: one.body })),
  )
  return objects.length
}

const remove = async (api: Api, paths: readonly string[]): Promise<number> => {
  await Promise.all(
    paths.map(async (path) => {
      try {
        await api.call({ method: 'DELETE', path })
      } catch (error) {
        if (!(error instanceof ApiError && error.code === 404)) throw error
      }
    }),
  )
  return paths.length
}

/** Every MAC that answers for each address. */
async function owners(addresses: readonly Ip[]): Promise<Record<string, readonly string[]>> {
  const { address: mac, index } = ownLink()
  const found = new Map<string, Set<string>>(addresses.map((ip) => [ip, new Set()]))
  const socket = openPacketSocket({
    interfaceIndex: index,
    filter: arpFilter,
    onFrame(frame) {
      const arp = decodeArp(frame)
      if (arp.ok && arp.value.operation === 'reply') {
        found.get(arp.value.senderIp)?.add(arp.value.senderMac)
      }
    },
    onEnd: () => undefined,
  })
  for (const ip of addresses) {
    socket.send(
      encodeArp({
        destination: broadcastMac,
        source: mac,
        operation: 'request',
        senderMac: mac,
        senderIp: '10.10.0.201' as Ip,
        targetMac: noMac,
        targetIp: ip,
      }),
    )
    await sleep(1)
  }
  await sleep(500)
  socket.close()
  return Object.fromEntries([...found].map(([ip, macs]) => [ip, [...macs].sort()]))
}

const ownLink = (): { address: Mac; index: number } => ({
  address: readFileSync('/sys/class/net/eth0/address', 'utf8').trim() as Mac,
  index: Number(readFileSync('/sys/class/net/eth0/ifindex', 'utf8')),
})

/**
 * Connects again and again until asked to end. A first packet that was lost is sent twice. What
 * becomes of a connection afterwards does not count: it ends with the node that it went to.
 */
async function knock(address: string): Promise<object> {
  const before = retransmissions()
  const failures: string[] = []
  let [count, isOver] = [0, false]
  process.once('SIGTERM', () => {
    isOver = true
  })
  process.stdout.write('begun\n')
  while (!isOver) {
    const failure = await attempt(address)
    count += 1
    if (failure !== '') failures.push(failure)
    await sleep(10)
  }
  return { count, failures, lost: retransmissions() - before }
}

/** '' once there is a connection; one that was never there is refused, not reset. */
function attempt(host: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ host, port: 80, timeout: 10_000 })
    const end = (failure: string): void => {
      socket.destroy()
      resolve(failure)
    }
    socket.on('connect', () => end(''))
    socket.on('timeout', () => end('no answer'))
    socket.on('error', ({ code, message }: NodeJS.ErrnoException) =>
      end(code === 'ECONNRESET' ? '' : message),
    )
  })
}

/** Of the first packets of connections, in this namespace. */
function retransmissions(): number {
  const lines = readFileSync('/proc/net/netstat', 'utf8').split('\n')
  const [names = '', values = ''] = lines.filter((line) => line.startsWith('TcpExt:'))
  return Number(values.split(' ')[names.split(' ').indexOf('TCPSynRetrans')])
}

const input = (): Promise<unknown> => json(process.stdin)
const withApi = async (kubeconfig: string, work: (api: Api) => Promise<unknown>) => {
  const connection = { kubeconfig, env: {}, home: '', parseYaml: yamlOrFault }
  const api = newApi(await readConnection(connection))
  try {
    return await work(api)
  } finally {
    api.close()
  }
}

const [, , kubeconfig = '', word = '', argument = ''] = process.argv
const works: Record<string, () => Promise<unknown>> = {
  apply: () => withApi(kubeconfig, async (api) => apply(api, (await input()) as Written[])),
  create: () => withApi(kubeconfig, async (api) => create(api, (await input()) as Written[])),
  remove: () => withApi(kubeconfig, async (api) => remove(api, (await input()) as string[])),
  get: () => withApi(kubeconfig, (api) => api.call({ method: 'GET', path: argument })),
  owners: async () => owners((await input()) as Ip[]),
  knock: () => knock(argument),
}
process.stdout.write(`${JSON.stringify(await works[word]?.())}\n`)
