// Which patch does a body hold? One of four types, by its media type.
import type { StoredKind } from '../kinds/storedKind.ts'
import { badRequest, done, type Outcome, type Refused, refused } from '../values/status.ts'
import type { Patch } from '../write/asked.ts'
import { mediaOf, readYaml, type Sent } from './decodeBody.ts'
import { parseJson } from './jsonBody.ts'
import { unknownFormat } from './refusals.ts'

const types: ReadonlyMap<string, Patch['type']> = new Map([
  ['application/json-patch+json', 'json'],
  ['application/merge-patch+json', 'merge'],
  ['application/strategic-merge-patch+json', 'strategic'],
  ['application/apply-patch+yaml', 'apply'],
])

/** Strategic merge patches are for built-in kinds only. */
export function patchType(type: string, { isBuiltIn }: StoredKind): Outcome<Patch['type']> {
  const found = types.get(mediaOf(type))
  if (found !== undefined && (isBuiltIn || found !== 'strategic')) return done(found)
  if (isBuiltIn) return unsupported
  return unknownFormat([...types.keys()].filter((media) => types.get(media) !== 'strategic'))
}

const unsupported: Refused = refused(
  { code: 415, reason: 'UnsupportedMediaType', message: '415: Unsupported Media Type' },
  {},
)

export function decodePatch(sent: Sent, type: Patch['type']): Outcome<Patch> {
  const read = type === 'apply' ? readYaml(sent.bytes, sent.parseYaml) : parseJson(sent.bytes)
  return read.ok ? done({ type, ...read.value }) : badRequest(`${prefixes[type]}${read.why}`)
}

const prefixes: Readonly<Record<Patch['type'], string>> = {
  json: 'error decoding patch: ',
  merge: 'error decoding patch: ',
  strategic: '',
  apply: 'error decoding YAML: ',
}
