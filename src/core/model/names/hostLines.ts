// How do hosts become lines, and lines hosts? What is no address or no name is left out and said.
import { parseIp } from '../../net/ip.ts'
import type { Host } from './dns.ts'

export type LeftOut = { readonly where: string; readonly why: string }
type Lines = { readonly text: string; readonly leftOut: readonly LeftOut[] }

const label = /^[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?$/

/** As dnsmasq takes it from a hosts file; a dot at the end changes nothing. */
export function isHostName(text: string): boolean {
  const name = text.endsWith('.') ? text.slice(0, -1) : text
  return name.length <= 253 && name.split('.').every((part) => label.test(part))
}

/** A line for each host in the order given, its names sorted (R13.1). */
export function linesOf(hosts: readonly Host[]): Lines {
  const leftOut: LeftOut[] = []
  const lines = hosts.flatMap(({ ip, hostnames }, at) => {
    const where = `spec.hosts[${at}]`
    const address = parseIp(ip)
    if (!address.ok) leftOut.push({ where: `${where}.ip`, why: address.why })
    const names = hostnames.filter(isHostName).toSorted()
    for (const [index, name] of hostnames.entries()) {
      const why = `${JSON.stringify(name)} is not a host name`
      if (!isHostName(name)) leftOut.push({ where: `${where}.hostnames[${index}]`, why })
    }
    return address.ok && names.length > 0 ? [`${ip} ${names.join(' ')}\n`] : []
  })
  return { text: lines.join(''), leftOut }
}

type Read = { readonly hosts: readonly Host[]; readonly leftOut: readonly LeftOut[] }

/** Of a hosts file that anybody may have written: comments and blank lines are none. */
export function hostsIn(text: string): Read {
  const leftOut: LeftOut[] = []
  const hosts = text.split('\n').flatMap((line, at): Host[] => {
    const [ip = '', ...names] = line.replace(/#.*/, '').split(/\s+/).filter(isText)
    if (ip === '') return []
    const address = parseIp(ip)
    const bad = address.ok ? names.find((name) => !isHostName(name)) : undefined
    const where = `line ${at + 1}`
    if (!address.ok) leftOut.push({ where, why: address.why })
    if (bad !== undefined) leftOut.push({ where, why: `${JSON.stringify(bad)} is not a host name` })
    const hostnames = names.filter(isHostName)
    return address.ok && hostnames.length > 0 ? [{ ip: address.value, hostnames }] : []
  })
  return { hosts, leftOut }
}

const isText = (part: string): boolean => part !== ''
