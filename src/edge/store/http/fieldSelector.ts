// Which objects does the text of a field selector select? Syntax and refusals as in Kubernetes.
import { type Parsed, parsed, refused } from '../../../core/net/parsed.ts'
import { resourceOf, type StoredKind } from '../kinds/storedKind.ts'
import type { Stored } from '../storage/stored.ts'

type FieldRequirement = {
  readonly path: string
  readonly isNegated: boolean
  readonly value: string
}

export function parseFieldSelector(text: string): Parsed<readonly FieldRequirement[]> {
  const found: FieldRequirement[] = []
  // An escaped comma belongs to the value.
  for (const term of text.match(/(?:\\.|[^,\\]|\\$)+/gsu) ?? []) {
    const split = /^(?<path>.*?)(?<operator>!=|==|=)(?<value>.*)$/s.exec(term)
    const { path = '', operator = '', value = '' } = split?.groups ?? {}
    if (split === null) return refused(`invalid selector: '${text}'; can't understand '${term}'`)
    const plain = unescaped(value)
    if (!plain.ok) return plain
    found.push({ path, isNegated: operator === '!=', value: plain.value })
  }
  return parsed(found)
}

function unescaped(text: string): Parsed<string> {
  for (const [part, bare] of text.matchAll(/\\.|\\$|([,=])/gsu)) {
    if (bare !== undefined) {
      const rune = bare.codePointAt(0)
      return refused(`invalid field selector: unescaped character in value: ${rune}`)
    }
    if (!/^\\[\\,=]$/.test(part)) {
      return refused(`invalid field selector: invalid escape sequence: ${part}`)
    }
  }
  return parsed(text.replace(/\\(.)/gsu, '$1'))
}

const placed = ['metadata.name', 'metadata.namespace']

/** The fields that a built-in kind supports; others support only name and namespace. */
const searchable: ReadonlyMap<string, readonly string[]> = new Map([
  ['services', [...placed, 'spec.clusterIP', 'spec.type']],
  ['nodes', ['metadata.name', 'spec.unschedulable']],
  ['namespaces', ['metadata.name', 'status.phase']],
  ['secrets', [...placed, 'type']],
  [
    'events',
    [
      ...placed,
      'involvedObject.kind',
      'involvedObject.namespace',
      'involvedObject.name',
      'involvedObject.uid',
      'involvedObject.apiVersion',
      'involvedObject.resourceVersion',
      'involvedObject.fieldPath',
      'reason',
      'reportingComponent',
      'source',
      'type',
    ],
  ],
  [
    'pods',
    [
      ...placed,
      'spec.nodeName',
      'spec.restartPolicy',
      'spec.schedulerName',
      'spec.serviceAccountName',
      'spec.hostNetwork',
      'status.phase',
      'status.podIP',
      'status.podIPs',
      'status.nominatedNodeName',
    ],
  ],
])

/** Refuses the first field that the kind does not support. */
export function unknownField(
  kind: StoredKind,
  requirements: readonly FieldRequirement[],
): string | undefined {
  const own = kind.isBuiltIn ? searchable.get(resourceOf(kind)) : ofCustomKind(kind)
  const known = own ?? placed
  const unknown = requirements.find(({ path }) => !known.includes(path))?.path
  if (unknown === undefined) return undefined
  if (own !== undefined) return `field label not supported: ${unknown}`
  const usual = '"metadata.name", "metadata.namespace"'
  return `${JSON.stringify(unknown)} is not a known field selector: only ${usual}`
}

const ofCustomKind = ({ isNamespaced }: StoredKind): readonly string[] =>
  isNamespaced ? placed : ['metadata.name']

/** A missing field counts as empty. */
export function meetsFields(all: readonly FieldRequirement[], stored: Stored): boolean {
  return all.every(({ path, isNegated, value }) => (fieldOf(stored, path) === value) !== isNegated)
}

function fieldOf({ name, namespace, fields }: Stored, path: string): string {
  if (path === 'metadata.name') return name
  if (path === 'metadata.namespace') return namespace
  return fields[path] ?? ''
}
