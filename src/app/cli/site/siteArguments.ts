// Which addresses does somebody want for the Site? From a file, from flags, or none at all.
import { type Json, recordAt, textAt } from '../../../core/model/json.ts'
import { siteName } from '../../../core/model/site.ts'
import { typeOf } from '../../../edge/kube/kinds.ts'
import { readManifests } from '../../../edge/manifests/readManifests.ts'
import type { Io } from '../io.ts'
import { type Arguments, isSet, type Option, textOf, textsOf, UsageError } from '../verb.ts'
import { externalIn, withSpec } from './siteObject.ts'

const flags = {
  'api-vip': 'apiVIP',
  'ingress-vip': 'ingressVIP',
  interface: 'interface',
  'base-domain': 'baseDomain',
  gateway: 'gateway',
  announce: 'announce',
} as const

export const externalOptions = {
  file: {
    type: 'string',
    short: 'f',
    value: 'FILE',
    help: 'a file with the Site, or - for standard input',
  },
  'api-vip': { type: 'string', value: 'ADDRESS', help: 'external address of the API' },
  'ingress-vip': { type: 'string', value: 'ADDRESS', help: 'external address of ingress' },
  'prefix-length': { type: 'string', value: 'BITS', help: 'prefix length of the external subnet' },
  interface: { type: 'string', value: 'NAME', help: 'interface of the external network' },
  gateway: { type: 'string', value: 'ADDRESS', help: 'router of the external network' },
  route: {
    type: 'string',
    multiple: true,
    value: 'PREFIX',
    help: 'a destination that nodes reach through the gateway; may be repeated',
  },
  'base-domain': { type: 'string', value: 'DOMAIN', help: 'base domain of the external names' },
  announce: {
    type: 'string',
    value: 'HOW',
    choices: ['Layer2', 'BGP'],
    help: 'how the addresses are announced',
  },
  unplug: { type: 'boolean', help: 'remove the external addresses' },
} as const satisfies Record<string, Option>

/** What stays from one place to the next unless it is said anew. */
const kept = ['interface', 'baseDomain', 'announce', 'bgpPeers'] as const

/** The Site as it is wanted; `there` is what the API has. Its move is left out. */
export async function wantedSite(
  args: Arguments,
  io: Io,
  there: Json | undefined,
): Promise<Json | undefined> {
  const file = textOf(args, 'file')
  const given = externalFrom(args)
  if (file !== '' && (given !== undefined || isSet(args, 'unplug'))) {
    throw new UsageError('give either a file or flags')
  }
  if (file !== '') return fromFile(await siteIn(file, io), there)
  if (there === undefined) return undefined
  if (isSet(args, 'unplug')) return withSpec(there, { external: undefined, move: undefined })
  if (given === undefined) {
    throw new UsageError('say which addresses: -f FILE, or --api-vip and --ingress-vip')
  }
  const before = externalIn(there) ?? {}
  const still = Object.fromEntries(
    kept.flatMap((name) => (name in before ? [[name, before[name]]] : [])),
  )
  return withSpec(there, { external: { ...still, ...given }, move: undefined })
}

/** Undefined if no flag says anything. */
export function externalFrom(args: Arguments): Json | undefined {
  const texts = Object.entries(flags).flatMap(([flag, field]) => {
    const text = textOf(args, flag)
    return text === '' ? [] : [[field, text] as const]
  })
  const bits = textOf(args, 'prefix-length')
  const routes = textsOf(args, 'route').map((destination) => ({ destination }))
  if (texts.length + bits.length + routes.length === 0) return undefined
  if (bits !== '' && !/^[0-9]{1,3}$/.test(bits)) {
    throw new UsageError(`--prefix-length is a number, not ${JSON.stringify(bits)}`)
  }
  return {
    ...Object.fromEntries(texts),
    ...(bits === '' ? {} : { prefixLength: Number(bits) }),
    ...(routes.length === 0 ? {} : { routes }),
  }
}

export async function siteIn(file: string, io: Io): Promise<Json> {
  const { kind } = typeOf('Site')
  const found: Json[] = []
  for await (const read of readManifests([file], io.stdin)) {
    if (!read.ok) throw new UsageError(`${file}: ${read.unreadable.why}`)
    const { json } = read.manifest
    if (json['kind'] === kind) found.push({ ...json })
  }
  const [site, ...rest] = found
  if (site === undefined || rest.length > 0) {
    throw new UsageError(`${file} has ${found.length} Sites; it must have one`)
  }
  const name = textAt(recordAt(site, 'metadata'), 'name')
  if (name !== siteName) throw new UsageError(`${file}: the Site must be called ${siteName}`)
  return site
}

function fromFile(wanted: Json, there: Json | undefined): Json {
  const { move: _, ...spec } = recordAt(wanted, 'spec')
  if (there === undefined) return { ...wanted, spec }
  const { external: __, move: ___, ...before } = recordAt(there, 'spec')
  return { ...there, spec: { ...before, ...spec } }
}
