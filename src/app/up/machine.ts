// What is this machine called, and by which addresses is it reached?
import { hostname, networkInterfaces } from 'node:os'
import type { Machine } from './firstObjects.ts'

export function thisMachine(): Machine {
  const addresses = Object.values(networkInterfaces()).flatMap((interfaces = []) =>
    interfaces
      .filter(({ internal, address }) => !internal && !address.startsWith('fe80:'))
      .map(({ address }) => address),
  )
  return { hostname: nodeName(hostname()), addresses: addresses.slice(0, 4) }
}

/** As kubelet names its Node, where that is a name at all; short enough to be a label too. */
export function nodeName(text: string): string {
  const name = text
    .toLowerCase()
    .replace(/[^a-z0-9.-]+/g, '-')
    .slice(0, 63)
  return name.replace(/\.+/g, '.').replace(/^[.-]+|[.-]+$/g, '') || 'node'
}
