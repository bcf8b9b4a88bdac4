// Which objects does every cluster have? Four namespaces, and the Service of the API.
import type { JsonObject } from '../../../core/model/gate.ts'
import { resourceOf } from '../kinds/storedKind.ts'
import type { Transaction } from '../storage/objects.ts'
import { metaOf, textOf } from '../values/jsonRead.ts'
import { type Creating, createAs } from './create.ts'
import { keptAs } from './keeping.ts'
import { readObject } from './readObject.ts'
import type { Promised } from './service/holdings.ts'
import type { Work } from './work.ts'

const namespaces = ['default', 'kube-system', 'kube-public', 'kube-node-lease']

const objects = (clusterIP: string): readonly (readonly [string, JsonObject])[] => [
  ...namespaces.map((name) => ['namespaces', { metadata: { name } }] as const),
  [
    'services',
    {
      metadata: {
        name: 'kubernetes',
        namespace: 'default',
        labels: { component: 'apiserver', provider: 'kubernetes' },
      },
      spec: { clusterIP, ports: [{ name: 'https', port: 443, targetPort: 6443 }] },
    },
  ],
]

/** Creates those that are missing. */
export function firstObjects(work: Work, tx: Transaction, promised: Promised): void {
  const [network] = work.holdings.networks
  for (const [resource, object] of objects(network?.first ?? '')) {
    const { name, namespace } = metaOf(object)
    const isThere = tx.get(resource, textOf(namespace), textOf(name)) !== undefined
    if (!isThere) make({ work, tx, promised }, resource, object)
  }
}

type Making = Pick<Creating, 'work' | 'tx' | 'promised'>

function make(making: Making, resource: string, sent: JsonObject): void {
  const { work } = making
  const kind = work.kinds.get(resource)
  if (kind === undefined) throw new Error(`${resource} is not a kind`)
  const found = keptAs(kind)
  const read = readObject({ found, fieldValidation: 'Strict', duplicates: [] }, sent)
  if (!read.ok) throw new Error(`${resourceOf(kind)}: ${read.why}`)
  const place = {
    found,
    namespace: textOf(metaOf(sent)['namespace']),
    name: '',
    isStatus: false,
    person: { user: 'system:apiserver' },
  }
  const made = createAs(
    {
      ...making,
      work: { ...work, admission: { ...work.admission, isOurs: () => true } },
      place,
      options: {
        isDryRun: false,
        fieldManager: 'berth',
        fieldValidation: 'Strict',
        isForced: false,
      },
    },
    { object: read.object, warnings: [], isManaged: false },
  )
  if (!made.ok) throw new Error(made.status.message)
}
