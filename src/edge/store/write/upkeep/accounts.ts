// Which ServiceAccount does every namespace have? `default`, for which programs wait.
import type { Transaction } from '../../storage/objects.ts'
import { makeOwn } from '../makeOwn.ts'
import { isGoing } from '../stored.ts'
import type { Work } from '../work.ts'
import type { Step } from './step.ts'

const [resource, name] = ['serviceaccounts', 'default']

export const isAccount = (of: { readonly resource: string; readonly name: string }): boolean =>
  of.resource === resource && of.name === name

export function giveAccount(work: Work, tx: Transaction, namespace: string): Step {
  const home = tx.get('namespaces', '', namespace)
  if (home === undefined || isGoing(home) || tx.get(resource, namespace, name)) return 'done'
  makeOwn({ work, tx, promised: { ips: [], ports: [] } }, resource, {
    metadata: { name, namespace },
  })
  return 'done'
}
