// Does one machine answer for the addresses of its Services? As the guide tells it, in namespaces of
// the test's own: a machine on a wire, and a client that asks.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, inject, test } from 'vitest'
import { whoRuns } from '../../src/app/up/running.ts'
import { isAlive } from '../../src/edge/host/process.ts'
import { until } from '../kube/waits.ts'
import { findKubectl } from '../kubectl/kubectl.ts'
import { type Host, newGround } from '../lab/layer2Ground.ts'
import { berthWithout, command, newData } from './berth.ts'

const root = join(import.meta.dirname, '../..')

/** As the guide has it: a pool, a Service without a selector, and its endpoint by hand. */
const guide = readFileSync(join(root, 'docs/guides/up.md'), 'utf8')
const [, manifests = ''] = /```yaml\n(# announced\.yaml\n[\s\S]*?)```/.exec(guide) ?? []
/** The block of the guide that has this text, as it stands. */
const shown = (text: string): string => {
  const blocks = [...guide.matchAll(/^```sh\n(.*?)^```/gms)].map(([, lines = '']) => lines)
  return blocks.find((lines) => lines.includes(text)) ?? `echo 'no block has ${text}'; exit 1`
}
const [address, mac] = ['192.0.2.100', '02:00:00:00:00:01']
const nobody = ''

/** A machine that has `berth up --announce` in the background, and a client on its wire. */
function newMachine() {
  const folder = newData()
  const [machine, client] = newGround(2)
  if (machine === undefined || client === undefined) throw new Error('no host')
  machine.ip('link', 'set', 'lo', 'up')
  const up = (...args: readonly string[]) =>
    machine.run(command, 'up', '--data', folder.path, '--background', ...args)
  const apply = (name: string, text: string) => {
    const file = join(folder.path, '..', name)
    writeFileSync(file, text)
    return up('--with', file)
  }
  const down = () => machine.run(command, 'down', '--data', folder.path)
  const status = () => machine.run(command, 'status', '--kubeconfig', folder.kubeconfig).out
  return { folder, machine, client, up, apply, down, status }
}

const answered = (client: Host, by: string): Promise<true> =>
  until(`${address} is answered by ${by || 'nobody'}`, () =>
    client.arping(address) === by ? true : undefined,
  )

describe.skipIf(!inject('mayAsRoot'))('up --announce', () => {
  test('[M5.3] a Service that has endpoints is answered for, until it has none', async () => {
    const { client, up, apply, down } = newMachine()
    const started = up('--port', '0', '--announce')
    expect(started).toMatchObject({ status: 0 })
    expect(started.out).toContain('speaker     answers for addresses of Services on eth0\n')
    expect(client.arping(address)).toBe(nobody)
    expect(apply('announced.yaml', manifests).out).toContain('applied     4 objects')
    await answered(client, mac)
    expect(
      apply('none.yaml', manifests.replace(/^endpoints:[\s\S]*/m, 'endpoints: []\n')).status,
    ).toBe(0)
    await answered(client, nobody)
    apply('announced.yaml', manifests)
    await answered(client, mac)
    expect(down()).toMatchObject({ status: 0 })
    expect(client.arping(address)).toBe(nobody)
  })

  const found = findKubectl()
  const kubectl = 'path' in found ? found.path : ''
  test.skipIf(kubectl === '')('what the guide types announces', async () => {
    const { folder, machine, client, down } = newMachine()
    const file = join(folder.path, '..', 'announced.yaml')
    writeFileSync(file, manifests)
    const typed = shown('berth up --announce')
      .replaceAll('sudo ', '')
      .replaceAll('/var/lib/berth', folder.path)
      .replace(/^berth (.*)$/m, `'${command}' $1 --port 0`)
      .replace(/^kubectl /m, `'${kubectl}' `)
      .replace('announced.yaml', file)
    expect(machine.run('sh', '-ec', typed)).toMatchObject({ status: 0 })
    await answered(client, mac)
    down()
  })

  test('what a client sends arrives where this machine takes it: on lo, or by DNAT', async () => {
    const { machine, client, up, apply, down } = newMachine()
    expect(up('--port', '0', '--announce')).toMatchObject({ status: 0 })
    apply('announced.yaml', manifests)
    await answered(client, mac)
    const server = "require('http').createServer((_, a) => a.end('here')).listen(+process.argv[1])"
    for (const port of ['80', '8080']) machine.start(process.execPath, '-e', server, port)
    const reached = () => client.run('curl', '-s', '--max-time', '2', `http://${address}/`).out
    expect(reached()).not.toContain('here')
    const guided = (text: string) => machine.run('sh', '-ec', shown(text))
    expect(guided('ip addr add')).toMatchObject({ status: 0 })
    await until('it listens', () => (reached() === 'here' ? true : undefined))
    machine.ip('addr', 'del', `${address}/32`, 'dev', 'lo')
    expect(reached()).not.toContain('here')
    expect(guided('nft add')).toMatchObject({ status: 0 })
    expect(reached()).toBe('here')
    down()
  })

  test('interfaces that come later answer too, and it says so', async () => {
    const { folder, machine, client, up, apply, down } = newMachine()
    machine.ip('link', 'set', 'eth0', 'down')
    expect(up('--port', '0', '--announce').out).toContain('speaker     has no interface')
    machine.ip('link', 'set', 'eth0', 'up')
    machine.plug('eth1', '02:00:00:00:00:09')
    const said = 'speaker     answers for addresses of Services on eth0, eth1\n'
    await until('it says so', () => readFileSync(folder.log, 'utf8').includes(said) || undefined)
    const onSecond =
      'metadata: { name: lan, namespace: metallb-system }\nspec: { interfaces: [eth1] }'
    const ofPool =
      /^metadata: \{ name: lan, namespace: metallb-system \}$(?=\n---\napiVersion: v1)/m
    expect(manifests).toMatch(ofPool)
    apply('announced.yaml', manifests.replace(ofPool, onSecond))
    await answered(client, '02:00:00:00:00:09')
    expect(up('--announce').out).toMatch(/^already up: .*\nspeaker {5}answers for addresses/)
    down()
  })

  test('it ends soon, and what it announced is announced at once by the next', async () => {
    const { folder, client, up, apply, down, status } = newMachine()
    up('--port', '0', '--announce')
    apply('announced.yaml', manifests)
    await answered(client, mac)
    const here = /^Layer 2 +Services +interfaces\n {2}\S+ +1 announced +eth0$/m
    await until('its status says so', () => here.test(status()) || undefined)
    const running = whoRuns(folder)
    if (running === undefined) throw new Error('nothing runs')
    down()
    expect(isAlive(running)).toBe(false)
    const silent = up('--port', '0')
    expect(silent.out).not.toContain('speaker')
    expect(status(), 'nothing is left of it').toContain('Layer 2  no node announces\n')
    expect(client.arping(address)).toBe(nobody)
    const late = up('--announce')
    expect(late).toMatchObject({ status: 1 })
    expect(late.out).toMatch(/--announce cannot be applied\. Stop it first with 'berth down/)
    down()
    up('--port', '0', '--announce')
    await answered(client, mac)
    down()
  })
})

test.each([[[]], [['--background']]])(
  'without the right to raw sockets it does not start, and says what to do %s',
  async (way) => {
    const { path } = newData()
    const args = ['up', '--data', path, '--port', '0', '--announce', ...way]
    const ran = await berthWithout(['net_raw'], ...args)
    expect(ran).toEqual({
      status: 1,
      out: '',
      err:
        'berth: --announce: raw sockets are not allowed (EPERM). Start it as root, or with the ' +
        'capability NET_RAW (AmbientCapabilities=CAP_NET_RAW in a systemd unit)\n',
    })
    expect(existsSync(path)).toBe(false)
  },
)
