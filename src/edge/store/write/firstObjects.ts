// Which objects does every cluster have? Four namespaces, the Service of the API, and an account in
// each namespace.
import type { JsonObject } from '../../../core/model/gate.ts'
import type { Transaction } from '../storage/objects.ts'
import { metaOf, textOf } from '../values/jsonRead.ts'
import { makeOwn } from './makeOwn.ts'
import type { Promised } from './service/holdings.ts'
import { giveAccount } from './upkeep/accounts.ts'
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
    if (!isThere) makeOwn({ work, tx, promised }, resource, object)
  }
  for (const { name } of tx.list({ resource: 'namespaces' }).items) giveAccount(work, tx, name)
}
