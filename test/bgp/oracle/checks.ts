// Do others and we read the same in the same bytes? Both ways, for as many messages as are asked for.

import fc from 'fast-check'
import { expect } from 'vitest'
import { headerBytes } from '../../../src/core/wire/bgp/header.ts'
import { decodeUpdate } from '../../../src/core/wire/bgp/update.ts'
import { prefixTexts } from '../../build/bgpMessages.ts'
import { ask } from './gobgp.ts'
import { heard, sent, type Told } from './samples.ts'

type Run = {
  readonly command: readonly string[]
  readonly seed: number
  readonly count: number
  /** What of a message it can show, or send; all of it unless given. */
  readonly seen?: (told: Told) => Told
}
const everything = (told: Told): Told => told

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
/** Prefixes of one message may stand in any order. */
const sorted = (told: Told): Told => ({
  ...told,
  announced: told.announced.toSorted(),
  withdrawn: told.withdrawn.toSorted(),
})

/** They read what we write. */
export function checkWritten({ command, seed, count, seen = everything }: Run): void {
  const samples = fc.sample(sent, { numRuns: count, seed })
  const answers = ask(
    command,
    samples.map(({ bytes }) => `read ${hexOf(bytes)}`),
  )
  for (const [at, { bytes, expected }] of samples.entries()) {
    const answer = answers[at] ?? ''
    if (answer.startsWith('error')) throw new Error(`${answer}: ${hexOf(bytes)}`)
    expect(sorted(JSON.parse(answer) as Told), hexOf(bytes)).toEqual(sorted(seen(expected)))
  }
}

/** We read what they write. */
export function checkRead({ command, seed, count, seen = everything }: Run): void {
  const samples = fc.sample(heard, { numRuns: count, seed }).map(seen)
  const answers = ask(
    command,
    samples.map((told) => `make ${JSON.stringify(told)}`),
  )
  for (const [at, told] of samples.entries()) {
    const hex = answers[at] ?? ''
    if (hex.startsWith('error')) throw new Error(`${hex}: ${JSON.stringify(told)}`)
    const read = readBy(hex, told)
    // Beside what is withdrawn, ExaBGP says whose it was.
    const isGone = told.announced.length === 0
    const ours = isGone ? { ...read, origin: -1, asPath: [] } : read
    expect(sorted(ours), hex).toEqual(sorted(told))
  }
}

const origins = ['IGP', 'EGP', 'INCOMPLETE']

function readBy(hex: string, { short, localPref }: Told): Told {
  const body = Buffer.from(hex, 'hex').subarray(headerBytes)
  // LOCAL_PREF from another AS is left out (RFC 7606).
  const isInternal = localPref !== undefined
  const read = decodeUpdate(body, { asSize: short ? 2 : 4, isInternal })
  if (!read.ok) throw new Error(`refused ${read.notice.code}/${read.notice.subcode}: ${hex}`)
  const { announced, withdrawn, attributes, nextHops, errors, discarded } = read.value
  expect([errors, discarded], hex).toEqual([[], []])
  const { origin, asPath, nextHop, med, communities, largeCommunities } = attributes
  return {
    announced: prefixTexts(announced),
    withdrawn: prefixTexts(withdrawn),
    nextHops: nextHop === undefined ? nextHops : [nextHop],
    origin: origin === undefined ? -1 : origins.indexOf(origin),
    asPath: (asPath ?? []).flatMap(({ asns }) => asns),
    ...(med !== undefined && { med }),
    ...(attributes.localPref !== undefined && { localPref: attributes.localPref }),
    ...{ communities: communities ?? [], large: largeCommunities ?? [], short },
  }
}
