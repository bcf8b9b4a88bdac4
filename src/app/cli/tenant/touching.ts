// With which commands are the Services of a tenant touched that are there already, and what the
// policies added taken away again? For each namespace, each listed Service, and by the selector.

import type { Selector } from '../../../core/model/selector.ts'
import type { Tenant } from '../../../core/model/tenant.ts'
import { counted } from '../../../core/net/counted.ts'

const touch = '--overwrite berth.dev/touched=once'
const added = ['address-pool', 'loadBalancerIPs', 'allow-shared-ip']
const untouch = [...added.map((name) => `metallb.io/${name}-`), 'berth.dev/touched-'].join(' ')
const policies = ['mutating', 'validating']
  .flatMap((one) => [`${one}admissionpolicybindings`, `${one}admissionpolicies`])
  .join(',')

/** For the reader: what to run before, and how to go back. */
export function touching(tenants: readonly Tenant[]): string {
  const every = (annotations: string): string =>
    tenants
      .flatMap((tenant) => commandsFor(tenant, tenants, annotations))
      .map((command) => `  ${command}\n`)
      .join('')
  return [
    "\n'berth plan --for metallb' of the same Tenants shows which Services move.\n",
    'Apply this before the Services. Those that are there already are touched once:\n',
    every(touch),
    'Services that share an address lose it until all of them are touched: MetalLB changes no\n' +
      'sharing key while another Service has the address. One that pins none may get another.\n',
    '\nTo take it away again, delete the policies:\n',
    ...tenants.map(
      ({ name }) => `  kubectl delete ${policies} -l berth.dev/rendered-for=${name}\n`,
    ),
    'A few seconds later, when the API server has noticed, remove what they added:\n',
    every(untouch),
    'Services that you wrote with metallb.io/ annotations are then applied again.\n',
  ].join('')
}

function commandsFor(tenant: Tenant, all: readonly Tenant[], annotations: string): string[] {
  const { namespaces, services, selector } = tenant
  const others = all.filter((one) => one !== tenant)
  const annotate = (where: string) => `kubectl annotate service ${where} ${annotations}`
  return [
    ...namespaces.map((namespace) => annotate(`-n ${namespace} --all`)),
    ...services.map((key) => annotate(`-n ${key.replace('/', ' ')}`)),
    ...(selector === undefined
      ? []
      : [
          `kubectl get namespace${labelsText(selector, others)} -o name | cut -d/ -f2 | ` +
            `xargs -I{} ${annotate('-n {} --all')}`,
        ]),
  ]
}

/** As kubectl takes it; what another tenant lists by name is that one's (R4.1). */
function labelsText({ matchLabels, matchExpressions }: Selector, others: readonly Tenant[]) {
  const theirs = others.flatMap(({ namespaces }) => namespaces).sort()
  const terms = [
    ...Object.entries(matchLabels).map(([key, value]) => `${key}=${value}`),
    ...matchExpressions.map(({ key, operator, values }) => termOf(key, operator, values)),
    ...(theirs.length === 0 ? [] : [termOf('kubernetes.io/metadata.name', 'NotIn', theirs)]),
  ]
  return terms.length === 0 ? '' : ` -l '${terms.join(',')}'`
}

function termOf(key: string, operator: string, values: readonly string[]): string {
  if (operator === 'Exists') return key
  if (operator === 'DoesNotExist') return `!${key}`
  return `${key} ${operator === 'In' ? 'in' : 'notin'} (${values.join(',')})`
}

/** Two selectors may match one namespace, which then has the policies of both (R4.2). */
export function selectorsNote(tenants: readonly Tenant[]): string {
  const selecting = tenants.filter(({ selector }) => selector !== undefined)
  if (selecting.length < 2) return ''
  const names = selecting.map(({ name }) => name).join(', ')
  return (
    `${counted(selecting.length, 'Tenant')} have a selector: ${names}. A namespace that two of ` +
    'them match has the policies of both: choose labels that no namespace can have together.\n'
  )
}
