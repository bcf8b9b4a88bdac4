// Does a node answer on a wire for addresses that no interface has? Asked by arping and ndisc6.
import { join } from 'node:path'
import { describe, expect, inject, test } from 'vitest'
import { type Ip, parseIp } from '../../src/core/net/ip.ts'
import type { Mac } from '../../src/core/net/mac.ts'
import type { Announcement } from '../../src/core/session/layer2/announcement.ts'
import { until } from '../kube/waits.ts'
import { newGround, startNode, startsOn, watchWire } from './layer2Ground.ts'

const [four, six] = ['192.0.2.100' as Ip, 'fd00::100' as Ip]
const nodeMac = '02:00:00:00:00:01'
const [clientMac, thirdMac] = ['02:00:00:00:00:02', '02:00:00:00:00:03']
const onAll = (address: Ip, start: Announcement['start'] = 'burst'): Announcement => ({
  address,
  interfaces: 'all',
  start,
})

/** A node that answers, a client that asks, and somebody else. */
async function newWire() {
  const [host, client, third] = newGround(3)
  if (host === undefined || client === undefined || third === undefined) throw new Error('no host')
  return { host, client, third, node: await startNode(host) }
}

type Wire = Awaited<ReturnType<typeof newWire>>

async function announced(wire: Wire, ...announcements: readonly Announcement[]): Promise<void> {
  wire.node.tell({ announce: announcements })
  for (const { address } of announcements) await startsOn(wire.node, address)
}

describe.skipIf(inject('lab') === '')('layer 2', () => {
  test('[M5.5] it answers arping and ndisc6, until it is told not to', async () => {
    const wire = await newWire()
    const { client, node } = wire
    await announced(wire, onAll(four), onAll(six))
    expect(client.arping(four)).toBe(nodeMac)
    expect(client.arping(four, '-t', nodeMac), 'unicast').toBe(nodeMac)
    expect(client.arping(four, '-0'), 'from nobody').toBe(nodeMac)
    expect(client.ndisc(six)).toBe(nodeMac)
    expect(client.arping('192.0.2.101')).toBe('')
    node.tell({ withdraw: [four, six] })
    await until('it is silent', () => client.arping(four) === '' || undefined)
    await until('for IPv6 too', () => client.ndisc(six) === '' || undefined)
    expect(await node.stop()).toBe(0)
  })

  test('[M5.5] the kernel of a client believes it, and the address is reached', async () => {
    const wire = await newWire()
    await announced(wire, onAll(four), onAll(six))
    // Where its traffic ends is not the wire's question: here on the loopback of the node.
    wire.host.ip('link', 'set', 'lo', 'up')
    for (const address of [`${four}/32`, `${six}/128`]) {
      wire.host.ip('addr', 'add', address, 'dev', 'lo')
    }
    wire.host.run('sysctl', '-qw', 'net.ipv4.conf.all.arp_ignore=1')
    expect(wire.client.run('ping', '-c', '1', '-W', '2', four).status).toBe(0)
    expect(wire.client.run('ping', '-c', '1', '-W', '2', six).status).toBe(0)
    const { out } = wire.client.run('ip', 'neigh', 'show', four)
    expect(out).toContain(nodeMac)
  })

  test('[M12.2] a change of owner is announced in six rounds, and only what changed', async () => {
    const wire = await newWire()
    const lines = await watchWire(wire.third, 'arp or icmp6[0]==136')
    const about = (text: string): number => lines.filter((line) => line.includes(text)).length
    const other = '192.0.2.99' as Ip
    for (const announcements of [[onAll(other)], [onAll(four), onAll(six)]]) {
      await announced(wire, ...announcements)
      const frames = announcements.map(({ address }) => [`who-has ${address}`, `tgt is ${address}`])
      for (const texts of frames) {
        await until('six rounds', () => texts.some((text) => about(text) === 6) || undefined)
      }
    }
    for (const address of [four, other]) {
      expect(about(`Request who-has ${address}`)).toBe(6)
      expect(about(`Reply ${address} is-at ${nodeMac}`)).toBe(6)
    }
    expect(about(`tgt is ${six}`)).toBe(6)
  })

  test('[M12.2] on an interface that comes later it answers as well', async () => {
    const wire = await newWire()
    await announced(wire, onAll(four), onAll(six))
    wire.host.plug('lan1', '02:00:00:00:01:01')
    await startsOn(wire.node, four, 'lan1')
    await startsOn(wire.node, six, 'lan1')
    wire.host.ip('link', 'del', 'eth0')
    expect(wire.client.arping(four)).toBe('02:00:00:00:01:01')
    expect(wire.client.ndisc(six)).toBe('02:00:00:00:01:01')
  })

  test('the solicited-node group is joined: switches that snoop let it through', async () => {
    const wire = await newWire()
    const groups = (): string => wire.host.run('ip', 'maddr', 'show', 'dev', 'eth0').out
    expect(groups()).not.toContain('ff02::1:ff00:100')
    await announced(wire, onAll(six), onAll('fd00:1::100' as Ip))
    expect(groups()).toContain('ff02::1:ff00:100')
    wire.node.tell({ withdraw: [six] })
    wire.node.tell({ announce: [onAll(four)] })
    await startsOn(wire.node, four)
    expect(groups(), 'the other address is in it too').toContain('ff02::1:ff00:100')
    wire.node.tell({ withdraw: ['fd00:1::100' as Ip] })
    await until('the group is left', () => !groups().includes('ff02::1:ff00:100') || undefined)
  })

  test('a MAC that changes is answered with, and announced, at once', async () => {
    const wire = await newWire()
    await announced(wire, onAll(four), onAll(six))
    wire.client.run('ping', '-c', '1', '-W', '1', four)
    const mac = '02:00:00:00:00:aa'
    wire.host.ip('link', 'set', 'eth0', 'address', mac)
    await until('the client knows it without asking', () => {
      const { out } = wire.client.run('ip', 'neigh', 'show', four)
      return out.includes(mac) || undefined
    })
    expect(wire.client.arping(four)).toBe(mac)
    expect(wire.client.ndisc(six)).toBe(mac)
  })

  test('a name that changes decides at once', async () => {
    const wire = await newWire()
    const announcement: Announcement = { address: four, interfaces: ['eth0'], start: 'burst' }
    await announced(wire, announcement)
    wire.host.ip('link', 'set', 'eth0', 'down')
    wire.host.ip('link', 'set', 'eth0', 'name', 'lan0')
    wire.host.ip('link', 'set', 'lan0', 'up')
    await wire.node.hears('lan0 is open', ({ open }) => open?.includes('lan0') || undefined)
    expect(wire.client.arping(four)).toBe('')
    wire.node.tell({ announce: [{ ...announcement, interfaces: ['lan0'] }] })
    await startsOn(wire.node, four, 'lan0')
    expect(wire.client.arping(four)).toBe(nodeMac)
  })

  test('down and up again, slowly and at once', async () => {
    const wire = await newWire()
    await announced(wire, onAll(four), onAll(six))
    const { news } = wire.node
    wire.host.ip('link', 'set', 'eth0', 'down')
    await until(
      'it is closed',
      () => news.findLast(({ open }) => open)?.open?.length === 0 || undefined,
    )
    wire.host.ip('link', 'set', 'eth0', 'up')
    const answers = (): boolean | undefined => wire.client.arping(four) === nodeMac || undefined
    await until('it answers again', answers)
    for (let times = 0; times < 5; times++) {
      wire.host.run('sh', '-c', 'ip link set eth0 down; ip link set eth0 up')
    }
    await until('it answers still', answers)
    await until('also IPv6', () => wire.client.ndisc(six) === nodeMac || undefined)
    expect(news.filter(({ ended }) => ended)).toEqual([])
  })

  test('more happens than the kernel keeps for it: it asks for everything anew', async () => {
    const wire = await newWire()
    await announced(wire, onAll(four))
    wire.node.signal('SIGSTOP')
    const changes = 'for n in $(seq 1000); do echo link set eth0 alias a$n; done | ip -batch -'
    wire.host.run('sh', '-c', changes)
    wire.host.plug('lan1', '02:00:00:00:01:01')
    wire.host.ip('link', 'del', 'eth0')
    wire.node.signal('SIGCONT')
    await startsOn(wire.node, four, 'lan1')
    expect(wire.client.arping(four)).toBe('02:00:00:00:01:01')
  })

  test('when nobody says that the speaker is well, it falls silent by itself', async () => {
    const wire = await newWire()
    await announced(wire, onAll(four), onAll(six))
    expect(wire.client.arping(four)).toBe(nodeMac)
    wire.node.tell({ heart: 'stops' })
    await until('it is silent', () => wire.client.arping(four) === '' || undefined)
    expect(wire.client.ndisc(six)).toBe('')
    wire.node.tell({ heart: 'beats' })
    await until('it answers again', () => wire.client.arping(four) === nodeMac || undefined)
  })

  test('[P5] whatever is thrown at it, it goes on answering', async () => {
    const wire = await newWire()
    await announced(wire, onAll(four), onAll(six))
    const flood = wire.third.start(
      process.execPath,
      join(import.meta.dirname, 'layer2Flood.ts'),
      '2',
      '3000',
    )
    const ended = new Promise((resolve) => flood.on('exit', resolve))
    await until('it answers meanwhile', () => wire.client.arping(four) === nodeMac || undefined)
    await ended
    expect(wire.client.arping(four)).toBe(nodeMac)
    expect(wire.client.ndisc(six)).toBe(nodeMac)
    expect(wire.node.news.filter(({ ended, trouble }) => ended ?? trouble)).toEqual([])
  })

  test('1,000 addresses of each family', async () => {
    const wire = await newWire()
    const all = Array.from({ length: 1_000 }, (_, n) => [
      `10.1.${n >> 8}.${n & 255}`,
      `fd00:1::${n.toString(16)}:1`,
    ]).flat()
    const announcements = all.map((text) => {
      const address = parseIp(text)
      if (!address.ok) throw new Error(address.why)
      return onAll(address.value)
    })
    wire.node.tell({ announce: announcements })
    await until('all are announced', () => {
      const started = wire.node.news.flatMap((news) => news.started ?? [])
      return started.length === announcements.length || undefined
    })
    for (const n of [0, 499, 999]) {
      expect(wire.client.arping(all[2 * n] ?? '', '-S', '192.0.2.2')).toBe(nodeMac)
      expect(wire.client.ndisc(all[2 * n + 1] ?? '')).toBe(nodeMac)
    }
  })

  test('an address that another machine has is found before it is announced', async () => {
    const wire = await newWire()
    wire.third.ip('addr', 'add', `${four}/24`, 'dev', 'eth0')
    wire.third.ip('addr', 'add', `${six}/64`, 'dev', 'eth0', 'nodad')
    wire.node.tell({ announce: [onAll(four, 'probe'), onAll(six, 'probe')] })
    for (const address of [four, six]) {
      const seen = await wire.node.hears(`${address} is taken`, ({ sightings }) =>
        sightings?.find((one) => one.address === address),
      )
      expect(seen).toMatchObject({ kind: 'foreign-owner', mac: thirdMac, isAnnounced: false })
    }
    expect(wire.client.arping(four)).toBe(thirdMac)
    expect(wire.node.news.flatMap(({ started }) => started ?? [])).toEqual([])
    wire.node.tell({ announce: [{ ...onAll(four, 'probe'), shouldAnnounceAnyway: true }] })
    await startsOn(wire.node, four)
  })

  test('an address that nobody has is announced after the probes', async () => {
    const wire = await newWire()
    const lines = await watchWire(wire.third, 'arp')
    await announced(wire, onAll(four, 'probe'))
    expect(wire.client.arping(four)).toBe(nodeMac)
    await until(
      'the first announcement',
      () => lines.some((line) => line.includes('is-at')) || undefined,
    )
    const probes = lines.filter((line) => line.includes(`who-has ${four} tell 0.0.0.0`))
    expect(probes).toHaveLength(3)
  })

  test('who takes an address of ours is seen, and it is defended; not a peer speaker', async () => {
    const wire = await newWire()
    wire.node.tell({ peers: [[thirdMac as Mac, 'node-3']] })
    await announced(wire, onAll(four))
    wire.third.run('arping', '-q', '-c', '1', '-i', 'eth0', '-U', '-S', four, four)
    await until('it was asked', () => wire.client.arping(four) === nodeMac || undefined)
    expect(wire.node.news.flatMap(({ sightings }) => sightings ?? [])).toEqual([])
    wire.node.tell({ peers: [] })
    const seen = await until('it is seen', () => {
      wire.third.run('arping', '-q', '-c', '1', '-i', 'eth0', '-U', '-S', four, four)
      return wire.node.news.flatMap(({ sightings }) => sightings ?? [])[0]
    })
    expect(seen).toMatchObject({ kind: 'foreign-owner', address: four, mac: thirdMac })
    const rounds = (): number =>
      wire.node.news
        .flatMap(({ counts }) => counts ?? [])
        .reduce((sum, one) => sum + one.gratuitous, 0)
    await until('six rounds, and one to defend it', () => rounds() === 7 || undefined)
  })

  test('two peer speakers that announce one address are seen by a third', async () => {
    const wire = await newWire()
    const [first, second] = [await startNode(wire.client), await startNode(wire.third)]
    const macs = [clientMac, thirdMac] as Mac[]
    wire.node.tell({ peers: macs.map((mac, at) => [mac, `node-${at + 2}`] as const) })
    for (const peer of [first, second]) peer.tell({ announce: [onAll(four), onAll(six)] })
    for (const address of [four, six]) {
      const seen = await wire.node.hears(`two owners of ${address}`, ({ sightings }) =>
        sightings?.find((one) => one.address === address),
      )
      expect(seen).toMatchObject({ kind: 'two-owners', interface: 'eth0', isAnnounced: false })
      expect([seen.mac, seen.beside].sort()).toEqual([...macs].sort())
    }
  })

  test('frames of a VLAN that the node has not, and for other hosts, are not for it', async () => {
    const wire = await newWire()
    await announced(wire, onAll(four))
    wire.host.ip('link', 'set', 'eth0', 'promisc', 'on')
    wire.client.arping(four, '-V', '5')
    wire.client.arping(four, '-t', '02:00:00:00:00:77')
    expect(wire.client.arping(four)).toBe(nodeMac)
    const requests = await until('the counts', () => {
      const counts = wire.node.news.flatMap((news) => news.counts ?? [])
      return counts.reduce((sum, one) => sum + one.requests, 0) || undefined
    })
    expect(requests).toBe(1)
  })

  test('[M7.1] what it was asked and answered is counted', async () => {
    const wire = await newWire()
    await announced(wire, onAll(four))
    for (let times = 0; times < 3; times++) wire.client.arping(four)
    const total = await until('the counts', () => {
      const counts = wire.node.news.flatMap((news) => news.counts ?? [])
      const responses = counts.reduce((sum, one) => sum + one.responses, 0)
      return responses >= 3 ? responses : undefined
    })
    expect(total).toBe(3)
  })
})
