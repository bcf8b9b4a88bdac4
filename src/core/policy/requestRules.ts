// Does the request itself stand, before any pool gives anything? In the order of R7.
import { no, type Verdict, yes } from '../model/reason.ts'
import { type Choice, orderText } from './choosePools.ts'
import { rule } from './rule.ts'
import type { Search } from './search.ts'
import type { Translated } from './translate.ts'

export type Request = {
  readonly search: Search
  /** Absent where no pool is asked for by name. */
  readonly choice: Choice | undefined
  readonly meant: Translated
}

const isOfOneTenant = rule(
  'tenant',
  ({ search: { world, wish } }: Request) => {
    const belonging = world.tenantOf(wish.service)
    if (belonging.kind !== 'ambiguous') return yes
    const names = belonging.names.join(' and ')
    return no('tenant-ambiguous', `namespace ${wish.service.namespace} is selected by ${names}`)
  },
  {
    says: ({ search: { wish } }) =>
      wish.tenant === undefined ? 'it has none' : `it is of tenant ${wish.tenant.name}`,
  },
)

const canBeRead = rule('request', ({ search }: Request) => search.wish.flaw ?? yes, {
  says: () => 'it can be read',
})

const isAnswered = rule('name', ({ choice }: Request): Verdict => choice ?? yes, {
  concerns: ({ choice }) => choice !== undefined,
  says: ({ search, choice }) =>
    choice?.ok === true ? `answered by ${orderText(search, choice.lists)}` : '',
})

const canBeTranslated = rule('translation', ({ meant }: Request): Verdict => meant, {
  concerns({ search: { wish } }) {
    const { service, tenant, asked } = wish
    if (tenant?.requestedAddresses === 'Translate') return asked.length > 0
    const asksForOne = service.asksByAnnotation !== '' || service.asksByField !== ''
    return tenant?.requestedAddresses === 'Ignore' && asksForOne
  },
  says({ search: { wish }, meant }) {
    const becomes = (meant.ok ? meant.addresses : []).map((ip, index) =>
      ip === wish.asked[index] ? `${ip} stays` : `${wish.asked[index]} becomes ${ip}`,
    )
    return becomes.join(', ') || `tenant ${wish.tenant?.name} ignores addresses asked for`
  },
})

export const requestRules = [isOfOneTenant, canBeRead, isAnswered, canBeTranslated] as const

/** Asked last, of one who asks for no pool and no address and has none reserved. */
export const hasCandidates = rule(
  'automatic',
  ({ choice }: { readonly search: Search; readonly choice: Choice }): Verdict => choice,
  {
    concerns: ({ search }) => search.wish.name === '',
    says: ({ search, choice }) =>
      choice.ok ? `in this order: ${orderText(search, choice.lists)}` : '',
  },
)
