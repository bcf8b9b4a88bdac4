// Which proxy is used for a server? The environment's, by the rules of Go and so of kubectl.
import { BlockList, isIP } from 'node:net'
import { Fault } from './fault.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export function proxyFor(server: URL, env: Environment): URL | undefined {
  const name = server.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY'
  const proxy = either(env, name)
  if (proxy === '' || isExempt(server, either(env, 'NO_PROXY'))) return undefined
  return parseProxy(proxy, name)
}

export function parseProxy(text: string, from: string): URL {
  const url = URL.parse(/^[a-z0-9+.-]+:\/\//i.test(text) ? text : `http://${text}`)
  if (url === null) throw new Fault(`${from} is not a URL`)
  if (url.protocol === 'http:' || url.protocol === 'https:') return url
  throw new Fault(`${from}: proxies of type ${url.protocol.slice(0, -1)} are not supported`)
}

const either = (env: Environment, name: string): string =>
  env[name] || env[name.toLowerCase()] || ''

/** The host without the brackets that a URL puts around IPv6. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1')

export function portOf({ port, protocol }: URL): number {
  if (port !== '') return Number(port)
  return protocol === 'https:' ? 443 : 80
}

function isExempt(server: URL, noProxy: string): boolean {
  const host = hostOf(server)
  if (host === 'localhost' || isWithin(host, '127.0.0.0/8') || isWithin(host, '::1')) return true
  return noProxy
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .some((entry) => entry !== '' && covers(entry, host, portOf(server)))
}

/** `*`, an address, a CIDR, or a domain with its subdomains; a leading dot excludes the domain. */
function covers(entry: string, host: string, port: number): boolean {
  if (entry === '*') return true
  if (isIP(host) !== 0 && isWithin(host, entry)) return true
  const [, name = entry, only] = /^(.*?|\[.*\])(?::(\d+))?$/.exec(entry) ?? []
  if (only !== undefined && Number(only) !== port) return false
  if (isIP(host) !== 0) return isWithin(host, name.replace(/^\[(.*)\]$/, '$1'))
  const below = name.replace(/^\*?\.?/, '.')
  const isItself = !name.startsWith('.') && !name.startsWith('*.') && host === name
  return isItself || host.endsWith(below)
}

function isWithin(host: string, range: string): boolean {
  const [address = '', length] = range.split('/')
  const [hostFamily, family] = [isIP(host), isIP(address)]
  if (hostFamily === 0 || hostFamily !== family) return false
  const bits = family === 4 ? 32 : 128
  const prefix = length === undefined ? bits : Number(length)
  if (!(Number.isInteger(prefix) && prefix >= 0 && prefix <= bits)) return false
  const type = family === 4 ? 'ipv4' : 'ipv6'
  const list = new BlockList()
  list.addSubnet(address, prefix, type)
  return list.check(host, type)
}
