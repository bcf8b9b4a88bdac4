// How do hosts, names and routes to pods stand? Who has all addresses, who waits for what, which
// servers answer, what is announced.
import type { LibCondition } from '../../model/ipam/ipSet.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import { reservationMessage } from '../ipam/ipSetStatus.ts'
import { routesOf } from '../podRoutes/routeObjects.ts'

export type OpenstackStatus = {
  readonly hosts: {
    readonly ready: number
    /** By the age of the IPSet. */
    readonly waiting: readonly { readonly host: string; readonly message: string }[]
  }
  readonly names: readonly {
    readonly server: string
    readonly isReady: boolean
    readonly addresses: readonly string[]
    readonly message: string
  }[]
  /** To pods, by BGPConfiguration. */
  readonly routes: readonly {
    readonly configuration: string
    readonly isReady: boolean
    readonly routes: number
    readonly message: string
  }[]
}

export function openstackStatus(world: ReadonlyWorld): OpenstackStatus {
  const ipSets = [...world.all('IPSet').values()]
  const waiting = ipSets
    .filter(({ status }) => !isReady(status.conditions))
    .sort((one, other) => (ageOf(one) < ageOf(other) ? -1 : 1))
  return {
    hosts: {
      ready: ipSets.length - waiting.length,
      waiting: waiting.map(({ key, status }) => ({
        host: key,
        message: reservationMessage(status.conditions) || unknown,
      })),
    },
    names: [...world.all('DNSMasq').values()]
      .map(({ key, status }) => {
        const { dnsAddresses } = status.fields
        const ready = status.conditions.find(({ type }) => type === 'Ready')
        return {
          server: key,
          isReady: isReady(status.conditions),
          addresses: Array.isArray(dnsAddresses) ? dnsAddresses.map(String) : [],
          message: ready?.message ?? unknown,
        }
      })
      .sort((one, other) => (one.server < other.server ? -1 : 1)),
    routes: [...world.all('BGPConfiguration').values()]
      .map(({ key, status: { conditions } }) => ({
        configuration: key,
        isReady: isReady(conditions),
        routes: routesOf(world, key).length,
        message: conditions.find(({ type }) => type === 'ServiceConfigReady')?.message ?? unknown,
      }))
      .sort((one, other) => (one.configuration < other.configuration ? -1 : 1)),
  }
}

const unknown = 'no controller has looked at it yet'

const isReady = (conditions: readonly LibCondition[]): boolean =>
  conditions.some(({ type, status }) => type === 'Ready' && status === 'True')

const ageOf = ({ createdAt, key }: { readonly createdAt: string; readonly key: string }): string =>
  `${createdAt} ${key}`
