// Which requests did the API server get? Its own counts, by verb and resource.

import { readFileSync } from 'node:fs'
import { get } from 'node:https'
import { type KubeAddress, tokenOf } from '../../test/kube/harness.ts'

/** By text such as `POST addresses`. */
export type Requests = ReadonlyMap<string, number>

/** Kinds that concern a controller, without the server's own. */
const counted = new Set([
  'services',
  'addresses',
  'events',
  'ipaddresspools',
  'l2advertisements',
  'network-attachment-definitions',
  'tenants',
  'configurationstates',
  'customresourcedefinitions',
  'ipsets',
  'reservations',
  'addressblocks',
  'netconfigs',
])

export async function requestsSoFar({ server, caFile }: KubeAddress): Promise<Requests> {
  const headers = { Authorization: `Bearer ${tokenOf('admin')}` }
  const text = await new Promise<string>((resolve, reject) => {
    const asked = get(`${server}/metrics`, { headers, ca: readFileSync(caFile), agent: false })
    asked.on('error', reject)
    asked.on('response', async (response) => {
      resolve(Buffer.concat(await Array.fromAsync(response)).toString('utf8'))
    })
  })
  const requests = new Map<string, number>()
  for (const [, labels = '', count] of text.matchAll(/^apiserver_request_total\{(.*)\} (\S+)$/gm)) {
    const label = (name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(labels)?.[1] ?? ''
    const [resource, part, code] = ['resource', 'subresource', 'code'].map(label)
    if (resource === undefined || !counted.has(resource)) continue
    const verb = label('verb')
    const what = `${verb} ${part === '' ? resource : `${resource}/${part}`}`
    const key = Number(code) < 300 ? what : `${what}, ${code}`
    requests.set(key, (requests.get(key) ?? 0) + Number(count))
  }
  return requests
}

/** Without watches, which are counted when they end, and without our own requests. */
export function requestsSince(before: Requests, after: Requests, own: readonly string[]): Requests {
  const rows = [...after].map(([what, count]) => [what, count - (before.get(what) ?? 0)] as const)
  const isShown = ([what, count]: readonly [string, number]) =>
    count > 0 && !what.startsWith('WATCH') && !own.includes(what)
  return new Map(rows.filter(isShown).sort(([one], [other]) => (one < other ? -1 : 1)))
}

/** Requests that change something. */
export const writesIn = (requests: Requests): Requests =>
  new Map([...requests].filter(([what]) => !/^(GET|LIST) /.test(what)))
