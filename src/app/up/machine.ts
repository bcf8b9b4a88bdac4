// What is this machine called, and under which addresses is it reached?
import { hostname, networkInterfaces } from 'node:os'
import type { Machine } from './firstObjects.ts'
import { nodeName } from './nodeName.ts'

export function thisMachine(): Machine {
  const addresses = Object.values(networkInterfaces()).flatMap((interfaces = []) =>
    interfaces
      .filter(({ internal, address }) => !internal && !address.startsWith('fe80:'))
      .map(({ address }) => address),
  )
  return { hostname: nodeName(hostname()), addresses: addresses.slice(0, 4) }
}
