// Which addresses have pods got from whereabouts? Its own records, one IPPool for each range.
import type { Ip } from '../../net/ip.ts'
import type { Prefix } from '../../net/range.ts'

export type PodAddresses = {
  readonly kind: 'IPPool'
  readonly key: string
  readonly name: string
  readonly namespace: string
  readonly range: Prefix | undefined
  /** By address: namespace/name of the pod. */
  readonly pods: Readonly<Record<Ip, string>>
}
