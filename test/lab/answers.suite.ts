// Does a client reach a Service? Asked with arping, ndisc6, ping and curl, as a person would.
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { homeOf, labNamed, mended, ownerOf, ownersOf, web } from './namespaces.ts'

const lab = labNamed(inject('lab'))
const { four, six } = web

describe.skipIf(inject('lab') === '')('answers', () => {
  // Whoever was first may have answered before the others were there.
  beforeAll(() => mended(lab))

  test('[R8.1] one node answers for both addresses of a Service, the one that the API names', async () => {
    const owner = await ownerOf(lab, four)
    expect(owner).toBe(homeOf(four))
    expect(await ownerOf(lab, six)).toBe(owner)
    const { out } = lab.berth('status')
    expect(out).toMatch(new RegExp(`^default/web +${four}, ${six} +${owner}$`, 'm'))
    expect(out).toContain('Nothing is broken.')
  })

  test.each([four, six])('ping and curl reach %s', async (address) => {
    const owner = await ownerOf(lab, address)
    const host = address.includes(':') ? `[${address}]` : address
    expect(lab.in('client-1', 'ping', '-n', '-c', '2', '-W', '2', address).out).toContain(
      ' 0% packet loss',
    )
    const asked = lab.in('client-1', 'curl', '-sS', '-m', '5', `http://${host}/`)
    expect(asked).toMatchObject({ status: 0, out: `${owner}\n` })
  })

  test('[M5.5] a router that asks by unicast is answered too', async () => {
    const owner = await ownerOf(lab, four)
    const mac = `02:00:00:10:00:1${owner.slice(-1)}`
    const { out } = lab.in(
      'router-1',
      'arping',
      '-c',
      '3',
      '-w',
      '4',
      '-t',
      mac,
      '-I',
      'eth0',
      four,
    )
    expect(out).toContain(`from ${mac}`)
  })

  test('nobody answers for an address that no Service has', () => {
    expect(ownersOf(lab, '10.10.100.250')).toEqual([])
    expect(ownersOf(lab, 'fd10:10::100:fa')).toEqual([])
  })

  test('berth probe agrees, and says so', async () => {
    await ownerOf(lab, four)
    for (const address of [four, six]) {
      const { status, out, err } = lab.in('client-1', './berth', 'probe', address)
      expect({ status, err }).toEqual({ status: 0, err: '' })
      expect(out).toContain('no problem found')
    }
  })

  test('berth probe names what is wrong with the neighbour entry', async () => {
    await ownerOf(lab, four)
    const entry = ['neigh', 'replace', four, 'lladdr', '02:00:00:10:02:22', 'dev', 'eth0']
    lab.in('client-1', 'ip', ...entry, 'nud', 'permanent')
    const wrong = lab.in('client-1', './berth', 'probe', four)
    lab.in('client-1', 'ip', 'neigh', 'del', four, 'dev', 'eth0')
    expect(wrong.out).toContain('wrong-mac: this host has 02:00:00:10:02:22 for it (permanent)')
    expect(wrong.status).toBe(2)
    const nobody = lab.in('client-1', './berth', 'probe', '10.10.100.250')
    expect(nobody.out).toContain('no-answer')
    expect(nobody.status).toBe(2)
    const { err } = lab.in('client-1', './berth', 'probe', 'web.example')
    expect(err).toContain('"web.example" is not an address: name the address of a Service')
  })
})
