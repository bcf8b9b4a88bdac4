// Is there room for an object? It can be as large as in Kubernetes, whose etcd takes no larger one;
// and a user of one namespace cannot fill the memory of all.
import { counted } from '../../../core/net/counted.ts'
import type { Transaction } from '../storage/objects.ts'
import type { Stored } from '../storage/stored.ts'
import { type Refused, refused } from '../values/status.ts'
import type { WriteTarget } from './asked.ts'

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
  if (bytes.length > mostBytes) return tooLarge(bytes.length)
  const isFull = place.isBound === true && tx.bytesIn(namespace) + growth > mostInNamespace
  return isFull ? full(stored) : undefined
}

function tooLarge(length: number): Refused {
  const has = `with its managedFields the object has ${counted(length, 'byte')}`
  const message = `${has}: at most ${mostBytes} are stored`
  return refused({ code: 413, reason: 'RequestEntityTooLarge', message })
}

/** As Kubernetes says that a ResourceQuota is used up. */
function full({ resource, namespace, name }: Stored): Refused {
  const most = `${mostInNamespace / 1024 / 1024} MiB, the most that its own tokens may fill`
  const why = `exceeded quota: namespace ${namespace} stores ${most}`
  const message = `${resource} "${name}" is forbidden: ${why}`
  return refused({ code: 403, reason: 'Forbidden', message }, { name, kind: resource })
}
