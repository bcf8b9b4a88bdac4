// How does unmodified MetalLB give a tenant's Services what the tenant says? By admission policies
// that the API server runs: one adds MetalLB's newer annotations next to those of the operators,
// which MetalLB reads first, and one refuses what is not the tenant's.
import { apiGroups, apiVersionOf } from '../../../model/apiGroups.ts'
import type { JsonObject } from '../../../model/gate.ts'
import type { Refusal } from '../../../model/reason.ts'
import type { Tenant } from '../../../model/tenant.ts'
import { pooledNetworks } from '../madePool.ts'
import { celList, celText } from './cel.ts'
import { type Asking, asking, newKey, oldKey } from './metallbKeys.ts'
import { renderedFor } from './renderedFor.ts'
import { annotationsOf, fieldOf, isOwn, serviceVariables } from './serviceVariables.ts'
import { everyService, tenantBindings } from './tenantBindings.ts'
import { type Translations, translationsOf } from './translations.ts'

const policyNameOf = ({ name }: Tenant): string => `berth-tenant-${name}`

/** `others` are the tenants beside it: what they list by name is not this one's (R4.1). */
export function servicePolicies(
  tenant: Tenant,
  others: readonly Tenant[],
): { readonly ok: true; readonly objects: readonly JsonObject[] } | Refusal {
  const translations = translationsOf(tenant)
  if (!translations.ok) return translations
  const policies = [mutating(tenant, others, translations.tables)]
  if (!tenant.openPools) policies.push(validating(tenant, others, translations.tables))
  return { ok: true, objects: policies.flat() }
}

function mutating(tenant: Tenant, others: readonly Tenant[], tables: Translations): JsonObject[] {
  return [
    policy('MutatingAdmissionPolicy', tenant, {
      ...matching(others),
      reinvocationPolicy: 'IfNeeded',
      variables: serviceVariables(tenant, tables),
      mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression: patches(tenant) } }],
    }),
    ...bindings('MutatingAdmissionPolicyBinding', tenant, others),
  ]
}

/** Everything at once or nothing: half of it would take an address away. */
function patches(tenant: Tenant): string {
  const { requestedAddresses, openPools } = tenant
  const fits = '((variables.pool == "" || variables.isOwnPool) && variables.isGivenOwn)'
  const added = [
    when('variables.isOwnPool', add('address-pool', 'variables.pool')),
    ...(requestedAddresses === 'Strict' ? [asChecked] : addresses(requestedAddresses)),
    when('variables.key != ""', add('allow-shared-ip', 'variables.ownKey')),
  ]
  return `${openPools ? 'true' : fits} ? ${added.join(' + ')} : []`
}

function addresses(requestedAddresses: string): string[] {
  const path = '"/spec/loadBalancerIP"'
  const field =
    requestedAddresses === 'Ignore'
      ? `JSONPatch{op: "remove", path: ${path}}`
      : `JSONPatch{op: "replace", path: ${path}, value: variables.given.join(",")}`
  return [
    when('variables.askedAddresses != ""', add('loadBalancerIPs', 'variables.given.join(",")')),
    when('variables.askedAddresses == "" && variables.field != ""', field),
  ]
}

const when = (condition: string, patch: string): string => `(${condition} ? [${patch}] : [])`

const add = (name: Asking, value: string): string =>
  `JSONPatch{op: "add", path: "/metadata/annotations/${newKey(name).replace('/', '~1')}", ` +
  `value: ${value}}`

/** What MetalLB reads first says what was checked, where somebody wrote it too. */
const asChecked = when(
  'variables.askedAddresses != "" && ' +
    `${celText(newKey('loadBalancerIPs'))} in variables.annotations`,
  add('loadBalancerIPs', 'variables.askedAddresses'),
)

function validating(tenant: Tenant, others: readonly Tenant[], tables: Translations): JsonObject[] {
  return [
    policy('ValidatingAdmissionPolicy', tenant, {
      ...matching(others),
      variables: [
        ...serviceVariables(tenant, tables),
        { name: 'isAskedAnew', expression: isAskedAnew },
      ],
      validations: validations(tenant),
    }),
    ...bindings('ValidatingAdmissionPolicyBinding', tenant, others),
  ]
}

/** What was there before the policy is not refused for what it said then. */
const isAskedAnew = ((): string => {
  const keys = celList(asking.flatMap((name) => [newKey(name), oldKey(name)]))
  const [now, before] = ['variables.annotations', `(${annotationsOf('oldObject')})`]
  const at = (of: string) => `(key in ${of} ? ${of}[key] : "")`
  return (
    'request.operation == "CREATE" || !has(oldObject.spec.type) || ' +
    'oldObject.spec.type != "LoadBalancer" || ' +
    `variables.field != (${fieldOf('oldObject')}) || ` +
    `!${keys}.all(key, ${at(now)} == ${at(before)})`
  )
})()

function validations(tenant: Tenant): JsonObject[] {
  const { name, requestedAddresses } = tenant
  const networks = pooledNetworks(tenant).map((network) => network.name)
  const reason =
    requestedAddresses === 'Translate' ? 'translation-does-not-fit' : 'address-not-in-pool'
  return [
    {
      expression: '!variables.isAskedAnew || variables.pool == "" || variables.isOwnPool',
      messageExpression:
        `"pool-of-another-tenant: tenant ${name} has no pool for \\"" + variables.askedPool + ` +
        `${celText(`"; it has ${networks.join(', ')}`)}`,
    },
    {
      expression: '!variables.isAskedAnew || variables.isGivenOwn',
      messageExpression:
        `"${reason}: " + variables.given.filter(a, !(${isOwn})).join(", ") + ` +
        celText(` is not in the loadBalancer ranges of tenant ${name}`) +
        (reason === 'translation-does-not-fit'
          ? ' + " and no translateFrom of the network leads there"'
          : ''),
    },
  ]
}

function policy(kind: string, tenant: Tenant, spec: JsonObject): JsonObject {
  const metadata = { name: policyNameOf(tenant), labels: renderedFor(tenant.name) }
  const apiVersion = apiVersionOf(apiGroups.admission)
  return { apiVersion, kind, metadata, spec: { failurePolicy: 'Fail', ...spec } }
}

function matching(others: readonly Tenant[]): JsonObject {
  const theirs = others.flatMap(({ services }) => services)
  const isBalanced = 'has(object.spec.type) && object.spec.type == "LoadBalancer"'
  // A Service that the server will name (generateName) is on no list.
  const isTheirs =
    'has(object.metadata.name) && ' +
    `(request.namespace + "/" + object.metadata.name) in ${celList(theirs)}`
  return {
    matchConstraints: {
      resourceRules: [everyService],
    },
    matchConditions: [
      { name: 'load-balancers', expression: isBalanced },
      // A Service being deleted must be able to drop its finalizers.
      { name: 'stays', expression: '!has(object.metadata.deletionTimestamp)' },
      ...(theirs.length === 0
        ? []
        : [{ name: 'of-no-other-tenant', expression: `!(${isTheirs})` }]),
    ],
  }
}

type BindingKind = 'MutatingAdmissionPolicyBinding' | 'ValidatingAdmissionPolicyBinding'

function bindings(kind: BindingKind, tenant: Tenant, others: readonly Tenant[]): JsonObject[] {
  const policyName = policyNameOf(tenant)
  const denies = kind === 'ValidatingAdmissionPolicyBinding' && { validationActions: ['Deny'] }
  return tenantBindings(tenant, others).map(({ suffix, matchResources }) => ({
    apiVersion: apiVersionOf(apiGroups.admission),
    kind,
    metadata: { name: `${policyName}${suffix}`, labels: renderedFor(tenant.name) },
    spec: { policyName, matchResources, ...denies },
  }))
}
