// What is this machine called, and under which addresses is it reached?
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

/** As the kubelet names its Node, if that is a valid name; short enough for a label. */
export function nodeName(text: string): string {
  const name = text
    .toLowerCase()
    .replace(/[^a-z0-9.-]+/g, '-')
    .slice(0, 63)
  return name.replace(/\.+/g, '.').replace(/^[.-]+|[.-]+$/g, '') || 'node'
}
