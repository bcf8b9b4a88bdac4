// Does the request itself stand, before any pool gives anything? In the order of R7.
import { no, type Verdict, yes } from '../model/reason.ts'
import { type Choice, orderText } from './choosePools.ts'
import { rule } from './rule.ts'
import type { Search } from './search.ts'
import type { Translated } from './translate.ts'

export type Attempt = {
  readonly search: Search
  /** Absent where no pool is asked for by name. */
  readonly choice: Choice | undefined
  readonly meant: Translated
}

const isOfOneTenant = rule(
  'tenant',
  ({ search: { world, request } }: Attempt) => {
    const belonging = world.tenantOf(request.service)
    if (belonging.kind !== 'ambiguous') return yes
    const names = belonging.names.join(' and ')
    return no('tenant-ambiguous', `namespace ${request.service.namespace} is selected by ${names}`)
  },
  {
    says: ({ search: { request } }) =>
      request.tenant === undefined ? 'it has none' : `it is of tenant ${request.tenant.name}`,
  },
)

const canBeRead = rule('request', ({ search }: Attempt) => search.request.flaw ?? yes, {
  says: () => 'it can be read',
})

const isAnswered = rule('name', ({ choice }: Attempt): Verdict => choice ?? yes, {
  concerns: ({ choice }) => choice !== undefined,
  says: ({ search, choice }) =>
    choice?.ok === true ? `answered by ${orderText(search, choice.lists)}` : '',
})

const canBeTranslated = rule('translation', ({ meant }: Attempt): Verdict => meant, {
  concerns({ search: { request } }) {
    const { service, tenant, asked } = request
    if (tenant?.requestedAddresses === 'Translate') return asked.length > 0
    const asksForOne = service.asksByAnnotation !== '' || service.asksByField !== ''
    return tenant?.requestedAddresses === 'Ignore' && asksForOne
  },
  says({ search: { request }, meant }) {
    const becomes = (meant.ok ? meant.addresses : []).map((ip, index) =>
      ip === request.asked[index] ? `${ip} stays` : `${request.asked[index]} becomes ${ip}`,
    )
    return becomes.join(', ') || `tenant ${request.tenant?.name} ignores addresses asked for`
  },
})

export const requestRules = [isOfOneTenant, canBeRead, isAnswered, canBeTranslated] as const

/** Asked last, of one who asks for no pool and no address and has none reserved. */
export const hasCandidates = rule(
  'automatic',
  ({ choice }: { readonly search: Search; readonly choice: Choice }): Verdict => choice,
  {
    concerns: ({ search }) => search.request.name === '',
    says: ({ search, choice }) =>
      choice.ok ? `in this order: ${orderText(search, choice.lists)}` : '',
  },
)
