// Proves when a node probes an address before it announces it: where nobody is known to have
// announced it, and where everybody stopped a while ago.
import { describe, expect, test } from 'vitest'
import { address, announcerStand, nodes, vip } from '../../../../test/build/announcerStand.ts'
import { endpoints, service } from '../../../../test/build/announcing.ts'

describe('it probes', () => {
  test('not on a takeover', () => {
    const { life, orders, see } = announcerStand({ live: ['b'] })
    life.begin()
    see('a')
    expect(orders).toEqual([`burst ${vip}`])
  })

  test('on a takeover from a node that never reported the announcement', () => {
    const { life, orders, told, see } = announcerStand({ live: ['b'] })
    told.delete('b')
    life.begin()
    see('a')
    expect(orders).toEqual([`probe ${vip}`])
  })

  test.each([
    { what: 'announces it', steps: [true], laterMs: 0, start: 'burst' },
    { what: 'does not', steps: [false], laterMs: 0, start: 'probe' },
    { what: 'has just ceased', steps: [true, false], laterMs: 2_999, start: 'burst' },
    { what: 'gave up long ago', steps: [true, false], laterMs: 3_000, start: 'probe' },
  ])('$start on a takeover from a node that later reports that it $what', (row) => {
    const { announcer, life, orders, told, see, clock } = announcerStand({ live: ['b'] })
    told.clear()
    life.begin()
    for (const hasTold of row.steps) {
      if (hasTold) told.add('b')
      else told.delete('b')
      announcer.told('default/s0', 'b')
    }
    clock.advance(row.laterMs)
    see('a')
    expect(orders).toEqual([`${row.start} ${vip}`])
  })

  test.each([
    { what: 'a moment', laterMs: 2_999, start: 'burst' },
    { what: 'an hour', laterMs: 3_600_000, start: 'probe' },
  ])('$start $what after the last endpoint of another node went', ({ laterMs, start }) => {
    const { announcer, life, orders, told, see, clock, put } = announcerStand({ live: ['b'] })
    told.clear()
    told.add('b')
    life.begin()
    put(endpoints('s0', []))
    clock.advance(60_000)
    told.delete('b')
    announcer.told('default/s0', 'b')
    clock.advance(laterMs)
    put(endpoints('s0', nodes))
    see('a')
    expect(orders).toEqual([`${start} ${vip}`])
  })

  test.each([
    { what: 'a moment', laterMs: 2_999, start: 'burst' },
    { what: 'an hour', laterMs: 3_600_000, start: 'probe' },
  ])('$start $what after its own last endpoint went', ({ laterMs, start }) => {
    const { announcer, life, orders, told, clock, put } = announcerStand({ live: ['a'] })
    told.clear()
    life.begin()
    announcer.started(vip)
    put(endpoints('s0', []))
    clock.advance(laterMs)
    put(endpoints('s0', ['a']))
    expect(orders.slice(1)).toEqual([`withdraw ${vip}`, `${start} ${vip}`])
  })

  test('again long after the node that had it while nobody was elected gave it up', () => {
    const { announcer, life, orders, told, clock, put } = announcerStand({ live: ['a'] })
    told.clear()
    life.begin()
    announcer.started(vip)
    put(endpoints('s0', []))
    const report = () => announcer.told('default/s0', 'b')
    told.add('b')
    report()
    clock.advance(60_000)
    told.delete('b')
    report()
    clock.advance(3_000)
    put(endpoints('s0', ['a']))
    expect(orders.at(-1)).toBe(`probe ${vip}`)
  })

  test('not while a node announces it for another Service', () => {
    const { announcer, life, orders, told, see, clock, put } = announcerStand({ live: ['b'] })
    put(service('s1', [address], { sharingKey: 'one' }), endpoints('s1', nodes))
    life.begin()
    expect(life.wanted.get('default/s1')).toMatchObject({ owner: 'b' })
    put(endpoints('s0', []))
    for (const name of nodes) told.delete(name)
    announcer.told('default/s0', 'b')
    told.add('b')
    clock.advance(3_600_000)
    see('a')
    expect(orders).toEqual([`burst ${vip}`])
  })

  test('not if the node that took over gives it back before it could report', () => {
    const { announcer, life, orders, told, clock, see } = announcerStand({ live: ['a'] })
    told.clear()
    life.begin()
    announcer.started(vip)
    see('a', 'b')
    clock.advance(3_600_000)
    see('a')
    expect(orders.at(-1)).toBe(`burst ${vip}`)
  })

  test('again if another machine had the address all along', () => {
    const { life, orders, keepSilent } = announcerStand({ live: ['a'] })
    life.begin()
    keepSilent(true)
    keepSilent(false)
    expect(orders).toEqual([`probe ${vip}`, `withdraw ${vip}`, `probe ${vip}`])
  })

  test('not after a restart', () => {
    const { announcer, life, orders } = announcerStand({ live: ['a'] })
    announcer.remember([vip])
    life.begin()
    expect(orders).toEqual([`burst ${vip}`])
  })

  test('for a new Service, not when the address returns to the Service that had it', () => {
    const { announcer, life, orders, put } = announcerStand({ live: ['a'] })
    life.begin()
    announcer.started(vip)
    put(endpoints('s0', []))
    put(endpoints('s0', ['a']))
    expect(orders).toEqual([`probe ${vip}`, `withdraw ${vip}`, `burst ${vip}`])
    put(service('new', ['198.51.100.9']), endpoints('new', ['a']))
    expect(orders.at(-1)).toBe('probe 198.51.100.9')
  })

  test('again once nobody has held the address for a while', () => {
    const { announcer, life, orders, put, drop } = announcerStand({ live: ['a'] })
    life.begin()
    drop('Service', 'default/s0')
    announcer.forget([vip])
    put(service('s0', [address]))
    expect(orders.at(-1)).toBe(`probe ${vip}`)
  })
})
