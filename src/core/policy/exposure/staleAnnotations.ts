// Which annotations stayed on a Service after they left the control plane? Operators add what an
// override says and never take away what it no longer says (O3.2, rule 4).
import type { Override } from '../../model/controlPlane.ts'
import { isRecord, recordAt, textAt } from '../../model/json.ts'

export type Stale = {
  readonly namespace: string
  readonly name: string
  readonly annotation: string
  readonly value: string
  /** Where the control plane would say it. */
  readonly field: string
}

const [older, newer] = ['metallb.universe.tf/', 'metallb.io/'] as const
const prefixes = [older, newer]
/** Written by a controller, and not by people. */
const noted = prefixes.map((prefix) => `${prefix}ip-allocated-from-pool`)
const hostname = 'dnsmasq.network.openstack.org/hostname'

/** `services` as the API has them; one entry for each annotation, in the order of their names. */
export function staleAnnotations(
  overrides: readonly Override[],
  services: readonly unknown[],
): readonly Stale[] {
  const known = new Map(overrides.map((one) => [`${one.namespace}/${one.name}`, one]))
  return services
    .flatMap((service) => {
      const metadata = recordAt(service, 'metadata')
      const [namespace, name] = [textAt(metadata, 'namespace'), textAt(metadata, 'name')]
      const override = known.get(`${namespace}/${name}`)
      if (override === undefined) return []
      const type = textAt(recordAt(service, 'spec'), 'type')
      return Object.entries(recordAt(metadata, 'annotations'))
        .filter(([key]) => isStale(key, override, type))
        .map(([annotation, value]) => ({
          namespace,
          name,
          annotation,
          value: isRecord(value) ? '' : String(value),
          field: `${override.field}.metadata.annotations`,
        }))
    })
    .sort((one, other) => (idOf(one) < idOf(other) ? -1 : 1))
}

/** The operator itself writes a name for a load balancer, and `tenant render` the newer key. */
function isStale(key: string, { annotations }: Override, type: string): boolean {
  if (key in annotations) return false
  if (key.startsWith(newer) && older + key.slice(newer.length) in annotations) return false
  if (key === hostname) return type !== 'LoadBalancer'
  return prefixes.some((prefix) => key.startsWith(prefix)) && !noted.includes(key)
}

const idOf = ({ namespace, name, annotation }: Stale): string =>
  `${namespace}/${name} ${annotation}`
