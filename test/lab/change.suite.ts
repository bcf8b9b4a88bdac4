// What if the network itself changes? An address that another machine has, an interface that comes
// late, and a thousand addresses at once.
import { afterEach, describe, expect, inject, test } from 'vitest'
import { until } from '../kube/waits.ts'
import { labNamed, machineAt, mended, ownerOf, run, web } from './namespaces.ts'
import { apply, create, pool, remove, service } from './objects.ts'

const lab = labNamed(inject('lab'))
const { four } = web

type NodeInterfaces = { readonly items: readonly { readonly status?: unknown }[] }
const reports = (): string =>
  JSON.stringify(
    (lab.ask('control', ['get', '/apis/berth.dev/v1alpha1/nodeinterfaces']) as NodeInterfaces)
      .items,
  )

describe.skipIf(inject('lab') === '')('change', () => {
  afterEach(() => mended(lab))

  test('an address that another machine has is not announced, and the problem names its MAC', async () => {
    const address = '10.10.102.1'
    const objects = [
      ...pool({ name: 'taken', addresses: '10.10.102.0/24' }),
      service({ name: 'taken', address }),
    ]
    lab.in('router-1', 'ip', 'address', 'add', `${address}/32`, 'dev', 'eth0')
    try {
      apply(lab, objects)
      await until('the problem', () => (reports().includes('foreign-owner') ? true : undefined))
      expect(reports()).toContain('02:00:00:10:00:01')
      expect(await ownerOf(lab, address)).toBe('router-1')
    } finally {
      remove(lab, objects.toReversed())
      lab.in('router-1', 'ip', 'address', 'delete', `${address}/32`, 'dev', 'eth0')
    }
  })

  test('another machine that takes an address in use is reported', async () => {
    await ownerOf(lab, four)
    lab.in('router-1', 'ip', 'address', 'add', `${four}/32`, 'dev', 'eth0')
    try {
      lab.in('router-1', 'arping', '-U', '-c', '2', '-i', 'eth0', '-S', four, four)
      await until('the problem', () => (reports().includes('foreign-owner') ? true : undefined))
    } finally {
      lab.in('router-1', 'ip', 'address', 'delete', `${four}/32`, 'dev', 'eth0')
    }
  })

  test('[M12.2] an interface that comes late announces too', async () => {
    const address = '10.10.103.1'
    const objects = [
      ...pool({ name: 'late', addresses: '10.10.103.0/24', interfaces: ['eth0', 'late0'] }),
      service({ name: 'late', address }),
    ]
    apply(lab, objects)
    const client = `berth-lab-${lab.name}-client-1`
    try {
      const owner = await ownerOf(lab, address)
      const node = `berth-lab-${lab.name}-${owner}`
      const ends = ['late0', 'type', 'veth', 'peer', 'name', 'late0', 'netns', node]
      expect(run(['ip', '-n', client, 'link', 'add', ...ends]).status).toBe(0)
      for (const one of [node, client]) run(['ip', '-n', one, 'link', 'set', 'late0', 'up'])
      const arping = ['arping', '-0', '-c', '1', '-w', '1', '-i', 'late0', address]
      await until('an answer', () =>
        lab.in('client-1', ...arping).status === 0 ? true : undefined,
      )
      expect(await ownerOf(lab, address)).toBe(owner)
    } finally {
      remove(lab, objects.toReversed())
      run(['ip', '-n', client, 'link', 'delete', 'late0'])
    }
  })

  test('[P3] a thousand addresses have one owner each, also after a node is lost', async () => {
    const addresses = Array.from(
      { length: 1000 },
      (_, index) => `10.10.${104 + Math.floor(index / 250)}.${(index % 250) + 1}`,
    )
    const many = pool({ name: 'many', addresses: '10.10.104.0-10.10.107.255' })
    const services = addresses.map((address, index) =>
      service({ name: `many-${index}`, address, policy: 'Cluster' }),
    )
    apply(lab, many)
    create(lab, services)
    const owners = (): readonly string[][] =>
      Object.values(lab.ask('client-1', ['owners'], addresses) as Record<string, string[]>)
    const allOwned = (nodes: number) => () => {
      const found = owners()
      if (!found.every((macs) => macs.length === 1)) return undefined
      const names = new Set(found.flat().map(machineAt))
      return names.size === nodes ? names : undefined
    }
    try {
      await until('one owner for each', allOwned(3), 60_000)
      lab.berth('fail', 'node', 'node-2')
      const left = await until('one owner for each of two nodes', allOwned(2), 60_000)
      expect([...left].sort()).toEqual(['node-1', 'node-3'])
      lab.berth('heal')
      await until('one owner for each again', allOwned(3), 60_000)
    } finally {
      remove(lab, services)
      remove(lab, many.toReversed())
    }
  })
})
