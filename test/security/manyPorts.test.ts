// Services with thousands of ports each, which share addresses that lie far apart. The attacker may make Services in
// its namespace that ask for addresses of an IPv6 pool. Afterwards: memory grows with what they say, and a search
// looks at each address once.
// Before: each port that was taken on 33 addresses kept all others a second time: 2,000 ports and 200 addresses took
// 1.7 GB, and some more of them ended the controller, out of memory.
import v8 from 'node:v8'
import vm from 'node:vm'
import { expect, onTestFinished, test, vi } from 'vitest'
import { Members } from '../../src/core/model/bits.ts'
import { SharingGroup } from '../../src/core/model/sharingGroup.ts'
import type { Ip } from '../../src/core/net/ip.ts'

v8.setFlagsFromString('--expose-gc')
const collect: () => void = vm.runInNewContext('gc')
const heapMb = (): number => {
  collect()
  // V8 gives buffers back beside the program, and has done so when it collects again.
  collect()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return (heapUsed + arrayBuffers) / 2 ** 20
}

const capacity = 2 ** 50
const ports = Array.from({ length: 1_000 }, (_, at) => `TCP/${at + 1}`)
/** No two of them near each other. */
const positionOf = (at: number): number => at * 2 ** 40

function taken(group: SharingGroup, at: number, some: readonly string[]): void {
  const ip = `fd00::${at.toString(16)}` as Ip
  group.join(ip, positionOf(at))
  for (const port of some) group.take(ip, positionOf(at), port)
}

test('addresses beside 33 that have a thousand ports each', () => {
  const group = new SharingGroup(capacity)
  for (let at = 0; at < 33; at++) taken(group, at, ports)
  const before = heapMb()
  for (let at = 33; at < 133; at++) taken(group, at, [])
  expect(heapMb() - before).toBeLessThan(50)
  expect(group.lowest(ports)).toBe(positionOf(33))
})

test('[M3.4] a search for an address that has a thousand ports free', () => {
  const group = new SharingGroup(capacity)
  taken(group, 0, ports)
  // Each port is in the way on too few addresses to be skipped, and the last is found last.
  for (let at = 1; at < 600; at++) taken(group, at, [`TCP/${1_000 - (at % 30)}`])
  taken(group, 600, [])
  const steps = vi.spyOn(Members.prototype, 'next')
  onTestFinished(() => steps.mockRestore())
  expect(group.lowest(ports)).toBe(positionOf(600))
  expect(steps.mock.calls.length).toBeLessThan(2_000)
})
