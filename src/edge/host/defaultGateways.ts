// Through which routers does this host send what it knows no other way for?
import type { Ip } from '../../core/net/ip.ts'
import { routesTo } from './hostRoutes.ts'

type DefaultGateway = { readonly address: Ip; readonly interface: string }

const everything = [
  { family: 'IPv4', base: 0n, length: 0 },
  { family: 'IPv6', base: 0n, length: 0 },
] as const

/** By metric, as the kernel chooses. */
export const defaultGateways = (read?: (file: string) => string): readonly DefaultGateway[] =>
  routesTo(everything, read).map(({ via, interface: name }) => ({ address: via, interface: name }))
