// What holds for whatever comes in? Nothing that is read makes the program fall, and what is let in
// means the same the second time.
import { isIP } from 'node:net'
import fc from 'fast-check'
import { gatesOf } from '../../src/app/cli/gates.ts'
import { isRecord } from '../../src/core/model/json.ts'
import { keyOf } from '../../src/core/model/view.ts'
import { World } from '../../src/core/model/world.ts'
import { familyOf, fromBigInt, parseIp, toBigInt } from '../../src/core/net/ip.ts'
import { parsePrefix, parseRange, prefixText } from '../../src/core/net/range.ts'
import { Cluster } from '../../src/core/sim/cluster.ts'
import { settings } from '../../src/core/sim/runScenario.ts'
import { decode } from '../../src/edge/kube/decode/decode.ts'
import { parseManifests } from '../../src/edge/manifests/readManifests.ts'
import { readCrds } from '../../src/edge/manifests/shippedCrds.ts'
import { addressText, damaged, scribbled } from '../build/randomInputs.ts'
import type { Promised } from './properties.ts'

const gate = gatesOf(await readCrds())('native')
const empty = new World(settings)

/** `share` is how many inputs it takes for each history of the promises. */
export type Input = Promised & { readonly share: number }

export const inputs: readonly Input[] = [
  {
    title: '[M12.4] an address is parsed as by Node, and has one canonical text',
    share: 150,
    property: fc.property(addressText, (text) => {
      const ip = parseIp(text)
      // A zone means something to one host only: no address of ours has one.
      const isAddress = isIP(text) > 0 && !text.includes('%')
      if (ip.ok !== isAddress) throw new Error(`${JSON.stringify(text)}: ${ip.ok}`)
      if (!ip.ok) return
      const again = fromBigInt(familyOf(ip.value), toBigInt(ip.value))
      if (again !== ip.value) throw new Error(`${text} is ${ip.value}, then ${again}`)
    }),
  },
  {
    title: '[M1.1] ranges and prefixes are parsed or refused, never thrown',
    share: 100,
    property: fc.property(addressText, (text) => {
      const range = parseRange(text)
      if (range.ok && range.value.first > range.value.last) throw new Error(`${text} is empty`)
      const prefix = parsePrefix(text)
      if (!prefix.ok) return
      const again = parsePrefix(prefixText(prefix.value))
      const isSame = again.ok && prefixText(again.value) === prefixText(prefix.value)
      if (!isSame) throw new Error(`${text} becomes ${prefixText(prefix.value)}`)
    }),
  },
  {
    title: '[P6] any manifest text is read or refused',
    share: 10,
    property: fc.property(scribbled, (text) => {
      for (const read of parseManifests(text, 'soak.yaml')) {
        if (read.ok) read.manifest.lineOf('metadata.name')
        else if (read.unreadable.why === '') throw new Error('unreadable without a reason')
      }
    }),
  },
  {
    title: '[P6] any object is decoded or refused',
    share: 20,
    property: fc.property(damaged, (json) => {
      const decoded = decode(json)
      if (decoded.kind === 'view') keyOf(decoded.view)
    }),
  },
  {
    title: '[M8.1] an admitted object is admitted again, unchanged',
    share: 10,
    property: fc.property(damaged, (json) => {
      const admitted = gate.admit(empty, json, undefined)
      if (!admitted.ok) return
      const again = gate.admit(empty, admitted.json, undefined)
      const [one, two] = [admitted.json, again.ok ? again.json : again.errors].map((part) =>
        JSON.stringify(part),
      )
      if (one !== two) throw new Error(`${one}\nbecomes ${two}`)
    }),
  },
  {
    title: '[P6] a cluster settles with any admitted objects',
    share: 1,
    property: fc.property(fc.array(damaged, { maxLength: 30, size: 'max' }), (objects) => {
      const cluster = new Cluster(gate, settings)
      for (const json of objects) if (isRecord(json)) cluster.apply(json)
      cluster.settle()
      cluster.restart()
      cluster.settle()
    }),
  },
]
