// Can a tenant state its own address?
import { expect } from 'vitest'
import { merge } from '../../kube/cluster.ts'
import { shownBy } from '../../kube/controllers.ts'
import {
  type Attempt,
  addressIn,
  betaIsServed,
  isForbidden,
  servicesOf,
  victimIp,
  withService,
} from '../attempt.ts'

const body = { status: { loadBalancer: { ingress: [{ ip: victimIp }] } } }

/** With the rights that Kubernetes gives to who edits a namespace. */
export const ownStatus: Attempt = {
  name: "A tenant writes another tenant's address into the status of its own Service",
  holds: "a tenant's account or token",
  mustHold: 'the request is refused with 403, or ignored if it is not for the status',
  before: 'prevented',
  engines: ['kubernetes'],
  async run(stand) {
    const mine = servicesOf(stand.tenant)
    await withService(stand, { name: 'liar' }, async (name) => {
      const ip = await addressIn(stand, name)
      await isForbidden(mine.patch(name, { type: merge, body, subresource: 'status' }))
      await mine.patch(name, { type: merge, body })
      expect(shownBy(await mine.get(name))).toEqual([ip])
    })
    await betaIsServed(stand)
  },
}
