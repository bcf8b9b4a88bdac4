// Is a node ever cut off, whatever is reported and wanted, and when (R4.27)? An nmstate of a few lines
// does what policies say to a node whose interfaces are known, and the node's own address has to stay.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isRecord, type Json, recordAt } from '../../src/core/model/json.ts'
import { ip, node } from '../build/announcing.ts'
import { Nodes } from '../build/hostNodes.ts'
import { onInterface, tenant } from '../build/wires.ts'

type Link = { readonly type: string; readonly fixed: readonly string[]; readonly hasDhcp: boolean }

/** Where the node's own address is, and how it came there. */
const grounds = [
  { link: 'ospbr', type: 'bridge', own: '192.168.122.10' },
  { link: 'ospbr', type: '', own: '192.168.122.10' },
  { link: 'ospbr', type: 'bond', own: '192.168.122.100' },
  { link: 'enp6s0.20', type: 'vlan', own: '172.17.0.200' },
  { link: 'enp6s0.20', type: 'vlan', own: '172.17.0.5' },
]
const steps = [
  ...['report', 'report without leases', 'no report', 'annotate all', 'annotate another'],
  ...['annotate none', 'vlan', 'no vlan', 'bridge', 'no bridge', 'second on the bridge'],
  ...['no second', 'vlan moved', 'bridge moved', 'carry out'],
] as const

const wanting = (name: string, network: Parameters<typeof tenant>[1]) => ({
  ...tenant(name, network),
  generate: ['HostNetworks'],
})
const tenants = {
  vlan: wanting('vlan', {
    ...{ cidrs: ['172.17.0.0/24'], vlan: 20, interface: 'enp6s0' },
    hosts: ['172.17.0.5-172.17.0.9'],
  }),
  bridge: wanting('bridge', {
    ...{ cidrs: ['192.168.122.0/24'], interface: 'ospbr' },
    hosts: ['192.168.122.100-192.168.122.110'],
  }),
  'vlan moved': wanting('vlan', {
    ...{ cidrs: ['172.17.0.0/24'], vlan: 20, interface: 'enp6s0' },
    hosts: ['172.17.0.50-172.17.0.59', '172.17.0.200/32'],
  }),
  'bridge moved': wanting('bridge', {
    ...{ cidrs: ['192.168.122.0/24'], interface: 'ospbr' },
    hosts: ['192.168.122.50-192.168.122.59', '192.168.122.10/32'],
  }),
  second: wanting('second', {
    ...{ cidrs: ['203.0.113.0/24'], interface: 'ospbr', hosts: ['203.0.113.5-203.0.113.9'] },
  }),
}

class Ground {
  readonly links = new Map<string, Link>()
  readonly nodes: Nodes
  readonly #own: string
  #annotated: readonly string[] = []

  constructor({ link, type, own }: (typeof grounds)[number], hasDhcp: boolean) {
    this.#own = own
    this.links.set('enp6s0', { type: '', fixed: [], hasDhcp: false })
    this.links.set('ospbr', { type: 'bridge', fixed: [], hasDhcp: false })
    this.links.set(link, { type, fixed: hasDhcp ? [] : [own], hasDhcp })
    this.nodes = new Nodes()
    this.#putNode()
    // A tenant that nobody has ever seen deleted takes nothing away.
    for (const one of Object.values(tenants)) this.nodes.put({ ...one, generate: [] })
  }

  #putNode(): void {
    const annotated = this.#annotated.map(onInterface)
    this.nodes.put({ ...node('worker-0', { addresses: [ip(this.#own)] }), annotated })
  }

  #texts({ fixed, hasDhcp }: Link): readonly string[] {
    return [...fixed, ...(hasDhcp ? [this.#own] : [])].map((address) => `${address}/24`)
  }

  #report(hasLeases: boolean): void {
    const interfaces = [...this.links].map(([name, link]) => ({
      ...{ name, mac: '', hasCarrier: true, ...(link.type === '' ? {} : { type: link.type }) },
      addresses: [
        ...link.fixed.map((address) => ({ address: ip(address), prefixLength: 24 })),
        ...(link.hasDhcp && hasLeases
          ? [{ address: ip(this.#own), prefixLength: 24, isTemporary: true as const }]
          : []),
      ],
    }))
    const occupied = interfaces.flatMap(({ addresses }) => addresses.map(({ address }) => address))
    this.nodes.put({ kind: 'NodeInterfaces', name: 'worker-0', interfaces, occupied })
  }

  #annotate(texts: readonly string[]): void {
    this.#annotated = texts
    this.#putNode()
  }

  step(what: (typeof steps)[number]): void {
    if (what === 'report') this.#report(true)
    else if (what === 'report without leases') this.#report(false)
    else if (what === 'no report') this.nodes.drop('NodeInterfaces', 'worker-0')
    else if (what === 'annotate another') this.#annotate(['eth9=10.0.0.5/24'])
    else if (what === 'annotate none') this.#annotate([])
    else if (what === 'annotate all') {
      this.#annotate(
        [...this.links].flatMap(([name, link]) =>
          this.#texts(link).map((text) => `${name}=${text}`),
        ),
      )
    } else if (what === 'carry out') this.#carryOut()
    else if (what === 'vlan moved' || what === 'bridge moved') this.nodes.put(tenants[what])
    else {
      const name = what.includes('second') ? 'second' : what.includes('vlan') ? 'vlan' : 'bridge'
      const generate = what.startsWith('no ') ? [] : ['HostNetworks']
      this.nodes.put({ ...tenants[name], generate })
    }
    this.nodes.decide()
  }

  /** As nmstate does: what a policy does not say stays as it is. */
  #carryOut(): void {
    const policy = this.nodes.objects.get('berth-worker-0')
    const { interfaces } = recordAt(recordAt(policy, 'spec'), 'desiredState')
    for (const one of Array.isArray(interfaces) ? interfaces.filter(isRecord) : []) {
      const name = String(one['name'])
      const there = this.links.get(name)
      if (one['state'] === 'absent') this.links.delete(name)
      else this.links.set(name, changed(there, one))
    }
    if (policy !== undefined) this.nodes.says('berth-worker-0', 'Available')
  }

  isReached(link: string, type: string): boolean {
    const there = this.links.get(link)
    if (there === undefined || there.type !== type) return false
    return there.hasDhcp || there.fixed.includes(this.#own)
  }
}

function changed(there: Link | undefined, one: Json): Link {
  const { type = '', fixed = [], hasDhcp = false } = there ?? {}
  const said = one['type'] === 'ethernet' ? '' : one['type']
  const ipv4 = recordAt(one, 'ipv4')
  const { address, dhcp, enabled } = ipv4
  const listed = Array.isArray(address)
    ? address.filter(isRecord).map((at) => String(at['ip']))
    : fixed
  return {
    type: typeof said === 'string' ? said : type,
    fixed: enabled === false ? [] : listed,
    hasDhcp: enabled === false || dhcp === false ? false : hasDhcp,
  }
}

test('[R4.27] a node keeps its own address where it is, whatever is reported and wanted', () => {
  const ground = fc.constantFrom(...grounds)
  const many = fc.array(fc.constantFrom(...steps), { minLength: 1, maxLength: 25 })
  fc.assert(
    fc.property(ground, fc.boolean(), many, (place, hasDhcp, taken) => {
      const stand = new Ground(place, hasDhcp)
      for (const what of taken) {
        stand.step(what)
        stand.step('carry out')
        expect(stand.isReached(place.link, place.type), what).toBe(true)
      }
    }),
    { numRuns: 1_000 },
  )
})
