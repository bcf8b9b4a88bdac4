// Which namespace and name does a new object get?
import type { JsonObject } from '../../../core/model/gate.ts'
import { resourceOf, type StoredKind } from '../kinds/storedKind.ts'
import type { Transaction } from '../storage/objects.ts'
import { metaOf, textOf } from '../values/jsonRead.ts'
import { badRequest, done, type Outcome, type Refused, refused } from '../values/status.ts'
import type { WriteTarget } from './asked.ts'
import { withMeta } from './jsonChange.ts'
import { isGoing } from './stored.ts'

/** Sets the namespace of the path; a cluster-scoped object has none. */
export function placed({ found, namespace }: WriteTarget, object: JsonObject): Outcome<JsonObject> {
  const said = textOf(metaOf(object)['namespace'])
  if (!found.kind.isNamespaced) return done(withMeta(object, { namespace: undefined }))
  if (said === '' || said === namespace) return done(withMeta(object, { namespace }))
  return badRequest(
    'the namespace of the provided object does not match the namespace sent on the request',
  )
}

/** The namespace must exist and not be terminating (C36, C70). */
export function refusedBy(
  tx: Transaction,
  { found, namespace }: WriteTarget,
  object: JsonObject,
): Refused | undefined {
  const { kind } = found
  if (!kind.isNamespaced) return undefined
  const stored = tx.get('namespaces', '', namespace)
  if (stored === undefined) return noNamespace(namespace)
  if (!isGoing(stored)) return undefined
  const { name, generateName } = metaOf(object)
  return terminating(kind, namespace, textOf(name) || textOf(generateName))
}

const noNamespace = (name: string): Refused =>
  refused(
    { code: 404, reason: 'NotFound', message: `namespaces "${name}" not found` },
    { name, kind: 'namespaces' },
  )

function terminating(kind: StoredKind, namespace: string, name: string): Refused {
  const { group, plural } = kind
  const inside = `unable to create new content in namespace ${namespace}`
  const why = `${inside} because it is being terminated`
  return refused(
    {
      code: 403,
      reason: 'Forbidden',
      message: `${resourceOf(kind)} "${name}" is forbidden: ${why}`,
    },
    {
      name,
      ...(group === '' ? {} : { group }),
      kind: plural,
      causes: [
        {
          reason: 'NamespaceTerminating',
          message: `namespace ${namespace} is being terminated`,
          field: 'metadata.namespace',
        },
      ],
    },
  )
}

/** No vowels, to avoid words, and no letters that look alike. */
const alphabet = 'bcdfghjklmnpqrstvwxz2456789'
const longest = 63 - 5

export function generated(prefix: string, random: () => number): string {
  const signs = Array.from({ length: 5 }, () => alphabet[Math.floor(random() * alphabet.length)])
  return `${prefix.slice(0, longest)}${signs.join('')}`
}
