// Does a question ever go unanswered? dnsperf asks a thousand times a second while hosts and options
// change and programs are killed (R13.4).
import { expect, inject, test } from 'vitest'
import { pick, seeded } from '../kube/seeded.ts'
import { until } from '../kube/waits.ts'
import { askAllTheTime } from './dnsperf.ts'
import { answers, dig, newMachine, otherServer } from './machine.ts'
import { startPod } from './pod.ts'

const onDns = test.skipIf(!inject('hasDns'))
const count = 1_000
const nameOf = (at: number) => `host-${at}.openstack.svc`
const names = Array.from({ length: count }, (_, at) => nameOf(at))
const rack = 50
const addressOf = (at: number, turn: number) => `10.${turn}.${at >> 8}.${at & 255}`

type Machine = Awaited<ReturnType<typeof newMachine>>

/** Hosts in racks of fifty, a DNSData each. */
async function fill(machine: Machine): Promise<void> {
  await machine.newNamespace()
  await machine.serve()
  for (let from = 0; from < count; from += rack) {
    const some = Array.from({ length: rack }, (_, at) => from + at)
    await machine.register(
      `rack-${from}`,
      ...some.map((at): [string, string] => [addressOf(at, 0), nameOf(at)]),
    )
  }
}

/** Each change gives one host another address. */
async function changeHosts(
  machine: Machine,
  changes: number,
  also?: (at: number) => Promise<void>,
) {
  const random = seeded(5)
  const turns = new Map<number, number>()
  for (let change = 0; change < changes; change++) {
    const host = pick(random, count)
    turns.set(host, (turns.get(host) ?? 0) + 1)
    const from = host - (host % rack)
    const some = Array.from({ length: rack }, (_, at) => from + at)
    const hosts = some.map((at): [string, string] => [
      addressOf(at, turns.get(at) ?? 0),
      nameOf(at),
    ])
    await machine.change(`rack-${from}`, ...hosts)
    await also?.(change)
  }
  return { host: (at: number) => addressOf(at, turns.get(at) ?? 0), changed: [...turns.keys()] }
}

const allAnswered = { lost: 0, codes: { NOERROR: expect.any(Number) } }

onDns(
  '[R13.4] 1,000 host changes and changes of servers leave no question unanswered',
  async () => {
    const machine = await newMachine()
    const other = 5_981
    otherServer(other, '/corp.test/192.0.2.1')
    await fill(machine)
    const port = await machine.port()
    await answers(port, [nameOf(count - 1)], addressOf(count - 1, 0))
    const pid = machine.pid()
    const asking = await askAllTheTime(port, names)
    const { host, changed } = await changeHosts(machine, 1_000, async (change) => {
      if (change % 100 !== 0) return
      const values = [`/corp-${change}.test/127.0.0.1#${other}`]
      await machine.configure({ key: 'server', values })
    })
    for (const at of changed.slice(-20)) await answers(port, [nameOf(at)], host(at))
    expect(await asking.end()).toMatchObject(allAnswered)
    expect(machine.pid()).toBe(pid)
  },
)

onDns('[R13.4] nor does a container of hosts that is killed, or the controller', async () => {
  const machine = await newMachine()
  await fill(machine)
  await machine.port()
  const pod = await startPod(machine.up)
  await answers(pod.port, [nameOf(count - 1)], addressOf(count - 1, 0))
  const asking = await askAllTheTime(pod.port, names)
  await changeHosts(machine, 60, async (change) => {
    if (change % 15 === 7) await pod.killHosts()
  })
  // The container itself goes on, or the pod would not be ready and no Service would lead there.
  expect(pod.hosts.hasEnded()).toBe(false)
  await machine.up.stop('SIGKILL')
  const again = await newMachine(machine.folder, {
    args: ['--port', new URL(machine.up.server).port],
  })
  await again.change('rack-0', ['10.9.9.9', nameOf(0)], ...others())
  await answers(pod.port, [nameOf(0)], '10.9.9.9')
  expect(await asking.end()).toMatchObject(allAnswered)
  expect(pod.dnsmasq.hasEnded()).toBe(false)
})

const others = () =>
  Array.from({ length: rack - 1 }, (_, at): [string, string] => [
    addressOf(at + 1, 0),
    nameOf(at + 1),
  ])

onDns('[R13.4] servers change in a pod without a restart, and no question is lost', async () => {
  const machine = await newMachine()
  const others = [5_983, 5_984]
  others.forEach((port, at) => {
    otherServer(port, `--host-record=www.corp.test,192.0.2.${at + 1}`)
  })
  const asks = (at: number) => ({ key: 'server', values: [`/corp.test/127.0.0.1#${others[at]}`] })
  await fill(machine)
  await machine.configure(asks(0))
  await machine.port()
  const pod = await startPod(machine.up)
  const before = await pod.options()
  await answers(pod.port, ['www.corp.test'], '192.0.2.1')
  const asking = await askAllTheTime(pod.port, names)
  for (let turn = 1; turn <= 6; turn++) {
    await machine.configure(asks(turn % 2))
    await answers(pod.port, ['www.corp.test'], `192.0.2.${(turn % 2) + 1}`)
  }
  await machine.configure(
    { key: 'rev-server', values: ['192.0.2.0/24', `127.0.0.1#${others[0]}`] },
    { key: 'local', values: ['/corp.test/'] },
  )
  await answers(pod.port, ['www.corp.test'], 'NXDOMAIN')
  await answers(pod.port, ['-x', '192.0.2.1'], 'www.corp.test.')
  expect(await asking.end()).toMatchObject(allAnswered)
  expect(await pod.options()).toEqual(before)
  await machine.configure({ key: 'max-ttl', values: ['60'] })
  await until('other options replace the pods', async () =>
    Object.values((await pod.options()) ?? {}).includes('max-ttl=60\n') ? true : undefined,
  )
})

onDns('[R13.4] many hosts at once are read together, in a pod too', async () => {
  const machine = await newMachine()
  await fill(machine)
  await machine.port()
  const pod = await startPod(machine.up)
  await answers(pod.port, [nameOf(0)], addressOf(0, 0))
  const asking = await askAllTheTime(pod.port, names)
  for (let at = 0; at < 30; at++) {
    const hosts = Array.from({ length: 1_000 }, (_, index): [string, string] => {
      return [`10.${100 + at}.${index >> 8}.${index & 255}`, `h${at}-${index}.openstack.svc`]
    })
    await machine.register(`many-${at}`, ...hosts)
  }
  await answers(pod.port, ['h29-999.openstack.svc'], '10.129.3.231')
  await answers(pod.port, ['h0-0.openstack.svc'], '10.100.0.0')
  expect(await asking.end()).toMatchObject(allAnswered)
})

onDns('[R13.4] dnsmasq itself is back after a kill, with what it knew', async () => {
  const machine = await newMachine()
  await fill(machine)
  const port = await machine.port()
  await answers(port, [nameOf(count - 1)], addressOf(count - 1, 0))
  const asking = await askAllTheTime(port, names)
  process.kill(machine.pid(), 'SIGKILL')
  await answers(port, [nameOf(0)], addressOf(0, 0))
  await asking.answered(2)
  const { codes } = await asking.end()
  // What it answers while it starts is nothing, not that there is no such host.
  expect(Object.keys(codes)).toEqual(['NOERROR'])
  expect(dig(port, 'nobody.openstack.svc')).toBe('NXDOMAIN')
})

onDns('[R13.2] a host of two ConfigMaps is known until both are gone', async () => {
  const machine = await newMachine()
  await machine.newNamespace()
  await machine.serve()
  const port = await machine.port()
  const host: readonly [string, string] = ['10.0.0.7', 'both.openstack.svc']
  await machine.register('one', host)
  await answers(port, [host[1]], host[0])
  await machine.register('other', host, ['10.0.0.8', 'later.openstack.svc'])
  await answers(port, ['later.openstack.svc'], '10.0.0.8')
  await machine.data.remove('one')
  await machine.register('last', ['10.0.0.9', 'last.openstack.svc'])
  await answers(port, ['last.openstack.svc'], '10.0.0.9')
  expect(dig(port, host[1])).toBe(host[0])
  await machine.data.remove('other')
  await answers(port, [host[1]], 'NXDOMAIN')
})
