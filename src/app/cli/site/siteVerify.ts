// berth site verify: can clients outside reach the cluster at its addresses? Asked from here as a
// client would: ARP, TCP, the name in the certificate, DNS, and the gateway.
import { Resolver } from 'node:dns/promises'
import { connect } from 'node:tls'
import { counted } from '../../../core/net/counted.ts'
import { familyOf, type Ip, parseIp } from '../../../core/net/ip.ts'
import { PacketFault } from '../../../edge/host/packet/packetFault.ts'
import { Fault } from '../../../edge/kube/api/fault.ts'
import type { Exit, Io } from '../io.ts'
import { askNeighbour } from '../probe/askNeighbour.ts'
import { reachByTcp } from '../probe/reach.ts'
import { routeTo } from '../probe/route.ts'

export type Verified = {
  readonly apiVIPs: readonly Ip[]
  readonly ingressVIPs: readonly Ip[]
  readonly apiPort: number
  readonly ingressPorts: readonly number[]
  readonly baseDomain: string
  /** Empty: the system's. */
  readonly dnsServer: string
  /** The routers of the external network. */
  readonly gateways: readonly Ip[]
}

type Answer = {
  readonly what: string
  readonly how: 'ok' | 'failed' | 'not asked'
  readonly text: string
}

const patienceMs = 3_000

export async function verifySite(site: Verified, io: Io): Promise<Exit> {
  const answers = [
    ...(await Promise.all([...site.apiVIPs, ...site.ingressVIPs].map((ip) => onTheLink(ip)))),
    ...(await Promise.all(site.gateways.map((ip) => onTheLink(ip, 'gateway ')))),
    ...(await Promise.all([
      ...site.apiVIPs.map((ip) => byTcp(ip, site.apiPort)),
      ...site.ingressVIPs.flatMap((ip) => site.ingressPorts.map((port) => byTcp(ip, port))),
      ...site.gateways.map((ip) => throughGateway(ip, site)),
      ...(site.baseDomain === '' ? [] : site.apiVIPs.map((ip) => byTls(ip, site))),
      ...(site.baseDomain === '' ? [] : byName(site)),
    ])),
  ]
  for (const { what, how, text } of answers) io.out(`${how.padEnd(10)}${what}: ${text}\n`)
  const failed = answers.filter(({ how }) => how === 'failed')
  io.out(failed.length === 0 ? '\neverything that was asked answers\n' : '')
  if (failed.length > 0)
    io.err(`\nberth: ${failed.length} of ${counted(answers.length, 'question')} failed\n`)
  return failed.length === 0 ? 0 : 2
}

/** Behind a router the link cannot be asked, and the router alone knows. */
async function onTheLink(address: Ip, of = ''): Promise<Answer> {
  const what = `${of}${address} on the link`
  try {
    const { interface: link, source, gateway } = routeTo(address, '')
    if (gateway !== undefined) {
      return { what, how: 'not asked', text: `it is behind the router ${gateway}` }
    }
    const answers = await askNeighbour({ address, interface: link, source, count: 2 })
    const macs = [...new Set(answers.map(({ mac }) => mac))].sort()
    const [first, ...rest] = macs
    if (first === undefined) return { what, how: 'failed', text: `no answer on ${link}` }
    if (rest.length > 0) return { what, how: 'failed', text: `${macs.join(' and ')} both answer` }
    return { what, how: 'ok', text: `answered by ${first} on ${link}` }
  } catch (error) {
    if (error instanceof PacketFault) return { what, how: 'not asked', text: error.message }
    if (error instanceof Fault) return { what, how: 'failed', text: error.message }
    throw error
  }
}

/** Only a machine beyond it can tell whether clients there get in and answers find back. */
async function throughGateway(gateway: Ip, { apiVIPs, apiPort }: Verified): Promise<Answer> {
  const what = `through the gateway ${gateway}`
  const vip = apiVIPs.find((ip) => familyOf(ip) === familyOf(gateway))
  if (vip === undefined) return { what, how: 'not asked', text: 'no VIP is of its family' }
  try {
    const { gateway: router } = routeTo(vip, '')
    if (router === undefined) {
      const text = 'this machine is in the external network: verify from beyond the gateway as well'
      return { what, how: 'not asked', text }
    }
    const { ms } = await reachByTcp(vip, apiPort)
    if (ms !== undefined) return { what, how: 'ok', text: `reached ${vip} by way of ${router}` }
    const text =
      `no answer by way of ${router}: does it lead to the external network, and do the nodes ` +
      'know the way back (external.routes)?'
    return { what, how: 'failed', text }
  } catch (error) {
    if (error instanceof Fault) return { what, how: 'failed', text: error.message }
    throw error
  }
}

async function byTcp(ip: Ip, port: number): Promise<Answer> {
  const { ms } = await reachByTcp(ip, port)
  const what = `${ip} TCP port ${port}`
  if (ms === undefined) return { what, how: 'failed', text: 'no answer' }
  return { what, how: 'ok', text: `${ms.toFixed(1)} ms` }
}

/** Who signed it is for clients to judge; that it is made out to the name has to hold for all. */
function byTls(ip: Ip, { apiPort: port, baseDomain }: Verified): Promise<Answer> {
  const servername = `api.${baseDomain}`
  const what = `${ip} certificate`
  return new Promise((resolve) => {
    const socket = connect({ host: ip, port, servername, rejectUnauthorized: false })
    const end = (how: Answer['how'], text: string): void => {
      socket.destroy()
      clearTimeout(late)
      resolve({ what, how, text })
    }
    const late = setTimeout(() => end('failed', 'no TLS answer'), patienceMs)
    socket.on('secureConnect', () => {
      const names = (socket.getPeerCertificate().subjectaltname ?? '')
        .split(', ')
        .map((one) => one.replace(/^(DNS|IP Address):/, ''))
      const isNamed = names.includes(servername) || names.includes(`*.${baseDomain}`)
      end(isNamed ? 'ok' : 'failed', isNamed ? servername : noName(servername, names))
    })
    socket.on('error', (error) => end('failed', error.message))
  })
}

const noName = (servername: string, names: readonly string[]): string =>
  `it is not issued for ${servername}, only to ${names.slice(0, 5).join(', ') || 'nobody'}; ` +
  'add the name to the serving certificate of the API'

function byName(site: Verified): Promise<Answer>[] {
  const { baseDomain, apiVIPs, ingressVIPs } = site
  return [
    resolved(site, `api.${baseDomain}`, apiVIPs),
    resolved(site, `verify.apps.${baseDomain}`, ingressVIPs),
  ]
}

async function resolved(site: Verified, name: string, wanted: readonly Ip[]): Promise<Answer> {
  const what = `${name} in DNS`
  const resolver = new Resolver({ timeout: patienceMs, tries: 1 })
  if (site.dnsServer !== '') resolver.setServers([site.dnsServer])
  const families = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  const found = families
    .flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
    .flatMap((text) => {
      const ip = parseIp(text)
      return ip.ok ? [ip.value] : []
    })
  if (found.length === 0)
    return { what, how: 'failed', text: `no address; it should be ${wanted.join(' and ')}` }
  const isRight = wanted.every((ip) => found.includes(ip))
  const text = isRight ? found.join(', ') : `${found.join(', ')} instead of ${wanted.join(' and ')}`
  return { what, how: isRight ? 'ok' : 'failed', text }
}
