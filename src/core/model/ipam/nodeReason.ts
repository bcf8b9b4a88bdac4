// Why has a host no address on a network? One closed list (R12.7), each with its remedy.

export const nodeRemedies = {
  'network-not-found': 'add the network to the NetConfig of the namespace, or correct the name',
  'subnet-not-found': 'add the subnet to the network in the NetConfig, or correct the name',
  'network-twice': 'request each network once, in one spelling',
  'range-full':
    "extend the subnet's allocationRanges, or delete an IPSet that has an address there",
  'address-not-in-subnet': "write a fixedIP inside the subnet's CIDR",
  'address-excluded': "request another address, or take it out of the subnet's excludeAddresses",
  'address-of-another-tenant': 'write a fixedIP that lies in no range of another tenant',
  'node-address-taken': 'request another address, or delete the IPSet that has it',
  'node-address-in-use':
    'request another address, or release this one; berth.dev/skip: upstream assigns it anyway',
} as const

type NodeReason = keyof typeof nodeRemedies
export type NodeRefusal = {
  readonly ok: false
  readonly reason: NodeReason
  readonly message: string
}

export const notForNode = (reason: NodeReason, message: string): NodeRefusal => ({
  ok: false,
  reason,
  message,
})

export const forNode = { ok: true } as const
