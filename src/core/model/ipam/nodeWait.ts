// What does an IPSet wait for, and in which order are they served (R12.7)?
import type { Ip } from '../../net/ip.ts'
import type { Wait, Waiter } from '../waiting.ts'
import type { IpSet } from './ipSet.ts'

export type NodeWait = { readonly subnets: readonly string[]; readonly addresses: readonly Ip[] }

/** The oldest first, whoever has something already. */
export const waiterOf = ({ key, createdAt }: IpSet): Waiter => ({
  key,
  createdAt,
  holds: false,
  group: '',
})

export const waitFor = ({ subnets, addresses }: NodeWait): Wait => {
  const lineKey = [...subnets, ...addresses].join(' ')
  return { requestKey: lineKey, lineKey, pools: subnets, addresses, tenant: '' }
}
