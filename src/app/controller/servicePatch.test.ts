// Does the API hold after our patch what the simulator says that it holds?
import { expect, test } from 'vitest'
import type { JsonObject } from '../../core/model/gate.ts'
import type { Condition } from '../../core/model/write.ts'
import { withStatus } from '../../core/model/write.ts'
import type { Ip } from '../../core/net/ip.ts'
import type { ServiceWrite } from '../../core/policy/claims.ts'
import { statusWrite } from '../../core/policy/decideService.ts'
import { decodeService } from '../../edge/kube/decode/decodeService.ts'
import { Fields } from '../../edge/kube/decode/fields.ts'
import { definition } from '../../edge/store/kinds/definitions.ts'
import { strategicPatch } from '../../edge/store/patch/strategicPatch.ts'
import { servicePatch } from './servicePatch.ts'

const schema = definition('io.k8s.api.core.v1.Service')
const [before, now] = ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z']
const type = 'berth.dev/Addressed'
const addressed: Condition = { status: 'True', reason: 'Addressed', message: '' }
const full: Condition = { status: 'False', reason: 'PoolFull', message: 'no address is left' }
const proxied = { ip: '10.0.0.1', ipMode: 'Proxy', ports: [{ port: 80, protocol: 'TCP' }] }
const named = { ip: 'FD00::1', hostname: 'web.example' }

type Row = {
  readonly about: string
  readonly ingress: readonly JsonObject[]
  readonly condition?: Condition
  readonly gets: Partial<ServiceWrite>
  readonly shows: readonly JsonObject[] | undefined
}
const rows: readonly Row[] = [
  {
    about: 'a first address',
    ingress: [],
    gets: { ips: ips('10.0.0.1') },
    shows: [ip('10.0.0.1')],
  },
  {
    about: 'a second family beside an entry that says more',
    ingress: [proxied],
    gets: { ips: ips('10.0.0.1', 'fd00::2') },
    shows: [proxied, ip('fd00::2')],
  },
  {
    about: 'one of two goes',
    ingress: [proxied, named],
    gets: { ips: ips('fd00::1') },
    shows: [named],
  },
  {
    about: 'the other comes first',
    ingress: [proxied, named],
    gets: { ips: ips('fd00::1', '10.0.0.1') },
    shows: [named, proxied],
  },
  {
    about: 'a host name alone makes way',
    ingress: [{ hostname: 'x' }, proxied],
    gets: { ips: ips('10.0.0.1') },
    shows: [proxied],
  },
  {
    about: 'all go',
    ingress: [proxied],
    condition: addressed,
    gets: { ips: [], pool: '', condition: full },
    shows: undefined,
  },
  {
    about: "another's list is left alone",
    ingress: [proxied],
    gets: { ips: undefined, condition: full },
    shows: [proxied],
  },
  {
    about: 'only the condition goes',
    ingress: [proxied],
    condition: addressed,
    gets: { ips: ips('10.0.0.1'), condition: undefined },
    shows: [proxied],
  },
]

function ip(text: string): JsonObject {
  return { ip: text }
}
function ips(...texts: readonly string[]): readonly Ip[] {
  return texts as readonly Ip[]
}

test.each(rows)('[M12.2] $about: the patch leaves what the simulator shows', (row) => {
  const { ingress, condition, gets, shows } = row
  const others = [{ type: 'Other', status: 'True' }]
  const ours = condition === undefined ? [] : [{ type, ...condition, lastTransitionTime: before }]
  const service: JsonObject = {
    metadata: { namespace: 'default', name: 'web', annotations: { kept: 'yes' } },
    status: { loadBalancer: { ingress }, conditions: [...others, ...ours] },
  }
  const view = decodeService(new Fields(service, []))
  const write: ServiceWrite = { ips: [], pool: 'lan', condition: addressed, ...gets }
  const live = strategicPatch(schema, service, servicePatch(view, write, now))
  const simulated = withStatus(service, statusWrite(view, write), now)
  if (!live.ok) throw new Error(live.status.message)
  const seen = (object: JsonObject) => {
    const { annotations } = Object(object['metadata'])
    const { loadBalancer, conditions } = Object(object['status'])
    const sorted = [...conditions].sort((a, b) => (a.type < b.type ? -1 : 1))
    return { annotations, ingress: loadBalancer.ingress, conditions: sorted }
  }
  expect(seen(live.value)).toEqual(seen(simulated))
  expect(seen(live.value).ingress).toEqual(shows)
})
