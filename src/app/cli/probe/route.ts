// Which route and which neighbour entry does this host have for an address? Read from `ip -j`.
import { spawnSync } from 'node:child_process'
import type { Ip } from '../../../core/net/ip.ts'
import { Fault } from '../../../edge/kube/api/fault.ts'
import { Fields } from '../../../edge/kube/decode/fields.ts'
import type { Neighbour } from './finding.ts'

export type Route = {
  readonly interface: string
  readonly source: string
  /** Undefined if the address is on the link itself. */
  readonly gateway: string | undefined
}

export function routeTo(address: Ip, onInterface: string): Route {
  const asked = ['route', 'get', address, ...(onInterface === '' ? [] : ['oif', onInterface])]
  const [route] = ip(asked)
  if (route === undefined || route.text('dev') === '') {
    throw new Fault(`this host has no route to ${address}`)
  }
  return {
    interface: route.text('dev'),
    source: route.text('prefsrc'),
    gateway: route.text('gateway') || undefined,
  }
}

export function neighbourAt(address: string, onInterface: string): Neighbour | undefined {
  const entries = ip(['neigh', 'show', 'to', address, 'dev', onInterface])
  const entry = entries.find((one) => one.text('lladdr') !== '')
  return entry && { mac: entry.text('lladdr'), state: entry.texts('state')[0] ?? 'UNKNOWN' }
}

function ip(words: readonly string[]): readonly Fields[] {
  const { status, stdout, stderr, error } = spawnSync('ip', ['-j', ...words], { encoding: 'utf8' })
  if (error !== undefined) throw new Fault('the command ip is missing; install iproute2')
  if (status !== 0) throw new Fault(`ip ${words.join(' ')}: ${stderr.trim()}`)
  try {
    return new Fields({ entries: JSON.parse(stdout || '[]') }, []).each('entries')
  } catch (error) {
    throw new Fault(`ip ${words.join(' ')}: the output is not JSON`, { cause: error })
  }
}
