// Does it help to edit, delete or adopt what is made from a tenant, or to list a namespace twice?
import { expect } from 'vitest'
import { merge, verbs } from '../../kube/cluster.ts'
import { until } from '../../kube/waits.ts'
import {
  type Attempt,
  berthKind,
  betaIsServed,
  betaRange,
  isForbidden,
  metallb,
  waits,
  withService,
} from '../attempt.ts'

/** R4.2, R4.19: by the tenant itself, and by somebody careless who may do it. */
export const madeObjects: Attempt = {
  name: "Objects made from another tenant are edited, adopted or claimed, even after an administrator's mistake",
  holds: "a tenant's account or token",
  mustHold: 'it is answered 403 or refused; an edit is undone and gave nobody anything',
  before: 'prevented',
  engines: ['kubernetes', 'embedded'],
  async run(stand) {
    const [mine, all] = [stand.tenant, stand.admin].map((api) =>
      verbs(api, metallb('ipaddresspools')),
    )
    if (mine === undefined || all === undefined) return
    await isForbidden(mine.remove('beta-lan'))
    const labels = { 'berth.dev/tenant': 'alpha' }
    const serviceAllocation = { namespaces: ['alpha'] }
    const body = { metadata: { labels }, spec: { serviceAllocation } }
    await all.patch('beta-lan', { type: merge, body })
    const asking = { name: 'adopted', annotations: { 'metallb.io/address-pool': 'beta-lan' } }
    await withService(stand, asking, (name) => waits(stand, name, /Pool|Tenant/))
    await until('the pool is as it was', async () => {
      const { metadata, spec } = await all.get('beta-lan')
      const isBack = metadata.labels?.['berth.dev/tenant'] === 'beta'
      const scoped = JSON.stringify(spec?.['serviceAllocation'])
      return isBack && scoped?.includes('"beta"') ? spec : undefined
    }).then((spec) => expect(spec).toMatchObject({ addresses: [betaRange] }))
    // Where no webhook can be reached, it would be taken.
    if (stand.engine === 'embedded') {
      const bare = { ownerReferences: null, labels: null }
      await isForbidden(all.patch('beta-lan', { type: merge, body: { metadata: bare } }))
    }
    const tenants = verbs(stand.admin, berthKind('tenants'))
    const naming = (...names: readonly string[]) =>
      tenants.patch('alpha', { type: merge, body: { spec: { namespaces: { names } } } })
    // Where no webhook can be reached the API takes it, and it counts for nothing.
    const answer = await naming('alpha', 'beta').then(
      () => "'beta' is taken without a check",
      (error: Error) => error.message,
    )
    expect(answer).toContain('beta')
    await withService(stand, asking, (name) => waits(stand, name, /Pool|Tenant/))
    await betaIsServed(stand)
    await naming('alpha')
  },
}
