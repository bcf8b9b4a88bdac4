// Is there room for an object? It can be as large as in Kubernetes, whose etcd takes no larger one;
// and a user of one namespace cannot fill the memory of all.
import { counted } from '../../../core/net/counted.ts'
import type { Transaction } from '../storage/objects.ts'
import type { Stored } from '../storage/stored.ts'
import { type Refused, refused } from '../values/status.ts'
import type { WriteTarget } from './asked.ts'
import { detailsOf } from './refusals.ts'

/** With its managedFields. */
const mostBytes = 1.5 * 1024 * 1024
const mostInNamespace = 64 * 1024 * 1024

/** What does not grow is kept, however large it is: it can be changed, and be let go. */
export function refuseGrowth(
  tx: Pick<Transaction, 'get' | 'bytesIn'>,
  place: WriteTarget,
  stored: Stored,
): Refused | undefined {
  const { resource, namespace, name, bytes } = stored
  const growth = bytes.length - (tx.get(resource, namespace, name)?.bytes.length ?? 0)
  if (growth <= 0) return undefined
  if (bytes.length > mostBytes) return tooLarge(place, stored)
  const isFull = place.isBound === true && tx.bytesIn(namespace) + growth > mostInNamespace
  return isFull ? full(place, stored) : undefined
}

function tooLarge({ found }: WriteTarget, { resource, name, bytes }: Stored): Refused {
  const has = `with its managedFields it has ${counted(bytes.length, 'byte')}`
  const why = `${has}, and at most ${mostBytes} are stored: split it into several objects`
  const message = `${resource} "${name}" is too large: ${why}`
  const said = { code: 413, reason: 'RequestEntityTooLarge', message }
  return refused(said, detailsOf(found.kind, name))
}

/** As Kubernetes says that a ResourceQuota is used up. */
function full({ found }: WriteTarget, { resource, namespace, name }: Stored): Refused {
  const most = `${mostInNamespace / 1024 / 1024} MiB, the most for tokens that are bound to it`
  const why = `exceeded quota: namespace ${namespace} would store more than ${most}`
  const remedy = 'delete objects there, or use a token that is not bound'
  const message = `${resource} "${name}" is forbidden: ${why}: ${remedy}`
  return refused({ code: 403, reason: 'Forbidden', message }, detailsOf(found.kind, name))
}
