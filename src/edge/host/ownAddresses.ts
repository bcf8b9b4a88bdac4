// Which addresses has this host, and where? Read when it is asked, also those of the links.
import { networkInterfaces } from 'node:os'
import { type Ip, parseIp } from '../../core/net/ip.ts'

export type OwnAddress = {
  readonly interface: string
  readonly address: Ip
  readonly prefixLength: number
}

/** In the order of the kernel. */
export function ownAddresses(): readonly OwnAddress[] {
  return Object.entries(networkInterfaces()).flatMap(([name, infos]) =>
    (infos ?? []).flatMap(({ address, cidr }) => {
      const ip = parseIp(address)
      const prefixLength = Number(cidr?.split('/')[1])
      return ip.ok && cidr !== null ? [{ interface: name, address: ip.value, prefixLength }] : []
    }),
  )
}
