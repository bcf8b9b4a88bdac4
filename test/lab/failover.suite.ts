// Who takes over when something breaks, and does it come back? Each way to break it, one by one.
import { afterEach, describe, expect, inject, test } from 'vitest'
import { until } from '../kube/waits.ts'
import { labNamed, mended, ownerOf, web } from './namespaces.ts'

const lab = labNamed(inject('lab'))
const { four, six } = web
const curl = (address: string): string =>
  lab.in('client-1', 'curl', '-sS', '-m', '2', `http://${address}/`).out.trim()

describe.skipIf(inject('lab') === '')('failover', () => {
  afterEach(() => mended(lab))

  test.each(['speaker', 'link', 'node'])('[P3] by %s: another node answers', async (kind) => {
    const before = await ownerOf(lab, four)
    expect(lab.berth('fail', kind, before).status).toBe(0)
    const isAnother = (owner: string): boolean => owner !== before
    const after = await ownerOf(lab, four, isAnother)
    expect(await ownerOf(lab, six, isAnother)).toBe(after)
    await until('a connection to the new one', () => (curl(four) === after ? true : undefined))
    await until('by IPv6 too', () => (curl(`[${six}]`) === after ? true : undefined))
    expect(lab.berth('status').out).toContain(`Broken: ${kind} ${before}.`)
  })

  test('[P3] the election puts it back where it was', async () => {
    const before = await ownerOf(lab, four)
    lab.berth('fail', 'node', before)
    await ownerOf(lab, four, (owner) => owner !== before)
    lab.berth('heal')
    await ownerOf(lab, four, (owner) => owner === before)
  })

  test('[R8.2] without the API, everything stays as it was', async () => {
    const before = await ownerOf(lab, four)
    lab.berth('fail', 'api')
    expect(lab.berth('status').out).toContain('the API is cut off')
    expect(curl(four)).toBe(before)
    expect(await ownerOf(lab, six)).toBe(before)
  })

  test('[R8.2] without the API, a node that dies is taken over from', async () => {
    const before = await ownerOf(lab, four)
    lab.berth('fail', 'api')
    lab.berth('fail', 'node', before)
    await ownerOf(lab, four, (owner) => owner !== before)
  })
})
