// What is this machine called, and by which addresses is it reached?
import { hostname, networkInterfaces } from 'node:os'
import type { Machine } from './firstObjects.ts'

export function thisMachine(): Machine {
  const addresses = Object.values(networkInterfaces()).flatMap((interfaces = []) =>
    interfaces
      .filter(({ internal, address }) => !internal && !address.startsWith('fe80:'))
      .map(({ address }) => address),
  )
  // As kubelet names its Node.
  return { hostname: hostname().toLowerCase(), addresses: addresses.slice(0, 4) }
}
