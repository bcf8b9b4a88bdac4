// Which Services would wait for an address, and can their requests be met at all?
import { type Json, recordAt } from '../../model/json.ts'
import { withoutPointer } from '../../model/pointer.ts'
import { inCondition, type Reason, remedies } from '../../model/reason.ts'
import type { ServiceView } from '../../model/service.ts'
import { objectOf } from '../../model/view.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import { decideService } from '../decideService.ts'
import { remedyFor } from '../explain/remedyFor.ts'
import type { LintFinding, LocationOf } from './lintFinding.ts'

const isReason = (word: string): word is Reason => Object.hasOwn(remedies, word)
const reasons = Object.keys(remedies).filter(isReason)
const spelt: ReadonlyMap<string, Reason> = new Map(
  reasons.map((reason) => [inCondition(reason), reason]),
)

/** Every other reason depends on what others hold, and can go away by itself. */
const neverMet: ReadonlySet<Reason> = new Set<Reason>([
  'address-invalid',
  'address-not-in-pool',
  'address-avoided',
  'request-family-mismatch',
  'request-contradicts',
  'pool-not-found',
  'pool-not-allowed',
  'pool-of-another-tenant',
  'translation-does-not-fit',
  'sharing-key-differs',
  'sharing-port-taken',
  'sharing-policy-differs',
  'sharing-across-tenants',
])

/**
 * The fields that a reason is about, most likely first; a name without `spec.` is an annotation.
 */
const addresses = ['loadBalancerIPs', 'spec.loadBalancerIP']
const fields: Partial<Record<Reason, readonly string[]>> = {
  'pool-not-found': ['address-pool'],
  'pool-not-allowed': ['address-pool', ...addresses],
  'pool-of-another-tenant': ['address-pool', ...addresses],
  'address-invalid': addresses,
  'address-not-in-pool': addresses,
  'address-taken': addresses,
  'address-avoided': addresses,
  'address-reserved': addresses,
  'address-in-use-elsewhere': addresses,
  'request-family-mismatch': addresses,
  'request-contradicts': addresses,
  'translation-does-not-fit': addresses,
  'sharing-across-tenants': addresses,
  'sharing-key-differs': ['allow-shared-ip'],
  'sharing-port-taken': ['spec.ports'],
  'sharing-policy-differs': ['spec.externalTrafficPolicy'],
  'family-not-in-pool': ['spec.ipFamilies'],
}

type Manifests = {
  readonly jsonOf: (object: string) => Json | undefined
  readonly locationOf: LocationOf
}

export function waitingFindings(
  world: ReadonlyWorld,
  { jsonOf, locationOf }: Manifests,
): LintFinding[] {
  return [...world.services.values()]
    .filter((service) => world.isOurs(service))
    .flatMap((service): LintFinding[] => {
      const refusal = refusalOf(service)
      if (refusal === undefined) return []
      const { reason: code, message } = refusal
      const severity = neverMet.has(code) ? 'error' : 'warning'
      const object = objectOf(service)
      const field = fieldOf(code, jsonOf(object) ?? {})
      const location = locationOf(object, field)
      const { lacks } = decideService(world, service.key)
      const remedy = remedyFor(world, service, lacks?.reason === code ? lacks : { reason: code })
      return [{ code, severity, object, ...location, field, message, remedy }]
    })
}

/** From its condition, once the cluster has settled. */
function refusalOf({ addressed }: ServiceView): { reason: Reason; message: string } | undefined {
  const reason = addressed?.status === 'False' ? spelt.get(addressed.reason) : undefined
  return reason === undefined
    ? undefined
    : { reason, message: withoutPointer(addressed?.message ?? '') }
}

function fieldOf(reason: Reason, json: Json): string {
  const annotations = recordAt(json['metadata'], 'annotations')
  for (const name of fields[reason] ?? []) {
    if (name.startsWith('spec.')) {
      if (name.slice('spec.'.length) in recordAt(json, 'spec')) return name
      continue
    }
    const keys = [`metallb.io/${name}`, `metallb.universe.tf/${name}`]
    const written = keys.find((key) => key in annotations)
    if (written !== undefined) return `metadata.annotations[${written}]`
  }
  return ''
}
