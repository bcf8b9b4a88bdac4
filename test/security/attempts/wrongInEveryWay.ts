// Can a Service hold up the controller?
import { loadBalancer } from '../../kube/cluster.ts'
import { conditionOf } from '../../kube/controllers.ts'
import { until } from '../../kube/waits.ts'
import { type Attempt, addressIn, betaIsServed, servicesOf, withService } from '../attempt.ts'

const wrong = [
  { 'metallb.io/loadBalancerIPs': Array.from({ length: 5000 }, () => '198.51.100.1').join(',') },
  { 'metallb.io/loadBalancerIPs': '198.51.100.1,198.51.100.1,::,%,"\u0000' },
  { 'metallb.io/address-pool': '../../beta-lan' },
  { 'metallb.io/address-pool': '__proto__' },
  { 'metallb.io/address-pool': 'x'.repeat(100_000) },
  { 'metallb.io/allow-shared-ip': '\u001b]0;owned\u0007'.repeat(1000) },
  { 'berth.dev/allow-delete': 'true', 'metallb.io/ip-allocated-from-pool': 'beta-lan' },
]

/** What is wrong is refused by itself, and holds up nobody. */
export const wrongInEveryWay: Attempt = {
  name: 'Services with annotations that are wrong, huge or full of control characters',
  holds: "a tenant's account or token",
  mustHold: 'the controller continues, and serves the tenant itself and others',
  before: 'prevented',
  engines: ['kubernetes', 'embedded'],
  async run(stand) {
    const mine = servicesOf(stand.tenant)
    const names = wrong.map((_, at) => `wrong-${at}`)
    for (const [at, annotations] of wrong.entries()) {
      const name = `wrong-${at}`
      await mine.create({ ...loadBalancer(name), metadata: { name, annotations } })
    }
    for (const name of names) {
      await until(`${name} is decided`, async () => conditionOf(await mine.get(name)))
    }
    for (const name of names) await mine.remove(name)
    await withService(stand, { name: 'plain' }, (name) => addressIn(stand, name))
    await betaIsServed(stand)
  },
}
