// Can a Service sit on another tenant's address?
import { type Attempt, betaIsServed, victimIp, waits, withService } from '../attempt.ts'

/** R4.6: the key that beta's Service has, another port, and its address. */
export const sharedAddress: Attempt = {
  name: "A Service shares another tenant's address with its sharing key",
  holds: "a tenant's account or token",
  mustHold: 'it waits, and its holder alone has the address',
  before: 'prevented',
  engines: ['kubernetes', 'embedded'],
  async run(stand) {
    const annotations = {
      'metallb.io/allow-shared-ip': 'key-of-beta',
      'metallb.io/loadBalancerIPs': victimIp,
    }
    const spec = { ports: [{ port: 8080 }] }
    await withService(stand, { name: 'sharing', annotations, spec }, (name) =>
      waits(stand, name, /Pool|Sharing/),
    )
    await betaIsServed(stand)
  },
}
