// Does a cluster move? The external bridge is swapped for another one with another subnet, the Site
// follows, and a client there reaches both addresses; what nobody commits goes back alone.
import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { until } from '../kube/waits.ts'
import { labNamed, type Ran, run } from './namespaces.ts'

const lab = labNamed('moving')
const kubeconfig = '/run/berth-lab/moving/api/kubeconfig'
const berth = join(import.meta.dirname, '../../berth')

/** As on a node, next to the wires. */
const site = (...args: readonly string[]): Ran =>
  lab.in('node-1', berth, 'site', ...args, '--kubeconfig', kubeconfig)
const said = ({ out, err }: Ran): string => out + err

/** Backends of the lab listen on 8080. */
const manifest = `
apiVersion: berth.dev/v1alpha1
kind: Site
metadata: {name: cluster}
spec:
  internalNetwork: 10.20.0.0/24
  api: {namespace: default, selector: {app: echo}, port: 8080}
  ingress: {namespace: default, selector: {app: echo}, ports: [8080]}
`
const flags = (api: string, ingress: string, bits: string, gateway: string): readonly string[] => [
  ...['--api-vip', api, '--ingress-vip', ingress, '--prefix-length', bits],
  ...['--gateway', gateway, '--interface', 'eth0'],
]
const here = { api: '10.10.50.1', ingress: '10.10.50.2', bits: '16', gateway: '10.10.0.1' }
const there = { api: '203.0.113.50', ingress: '203.0.113.51', bits: '24', gateway: '203.0.113.1' }
const flagsOf = (place: typeof here, gateway = place.gateway): readonly string[] =>
  flags(place.api, place.ingress, place.bits, gateway)

const reaches = (address: string): boolean =>
  /^node-\d$/m.test(lab.in('client-1', 'curl', '-s', '-m', '2', `http://${address}:8080/`).out)
const isReached = (address: string) =>
  until(`a client reaches ${address}`, () => reaches(address) || undefined)

/** What clients know the place by; the names come along when the cluster moves. */
const domain = 'edge.example.com'
const certificate = `${there.api} certificate`

/** By a name that the DNS server at the gateway tells. */
function reachesByName(name: string): boolean {
  const file = `/run/berth-lab/${lab.name}/resolv.conf`
  writeFileSync(file, `nameserver ${there.gateway}\noptions timeout:1 attempts:1\n`)
  // Every `ip netns exec` has mounts of its own.
  const command = `mount --bind ${file} /etc/resolv.conf && exec curl -s -m 2 http://${name}:8080/`
  return /^node-\d$/m.test(lab.in('client-1', 'sh', '-c', command).out)
}

type Said = {
  readonly metadata: { readonly annotations?: Readonly<Record<string, string>> }
  readonly status?: { readonly loadBalancer?: { readonly ingress?: readonly { ip: string }[] } }
}

/** As external-dns does: the names of Services, with their addresses. */
function publishedNames(): readonly string[] {
  const path = '/api/v1/namespaces/default/services'
  const { items } = lab.ask('control', ['get', path]) as { readonly items: readonly Said[] }
  return items.flatMap(({ metadata, status }) => {
    const name = metadata.annotations?.['external-dns.alpha.kubernetes.io/hostname']
    const [first] = status?.loadBalancer?.ingress ?? []
    return name === undefined || first === undefined
      ? []
      : [`--address=/${name.replace('*.', '')}/${first.ip}`]
  })
}

function dnsServer(): ChildProcess {
  const how = ['-k', '-C', '/dev/null', '-h', '-R', '-z', '-u', 'root', '--pid-file=']
  const listen = [`--listen-address=${there.gateway}`, '--log-facility=-']
  return lab.start('fabric', 'dnsmasq', ...how, ...listen, ...publishedNames())
}

/** On a node, and killed as soon as it has come as far as `until` waits for. */
async function killedWhile(
  args: readonly string[],
  hasCome: (out: () => string) => Promise<unknown>,
): Promise<void> {
  const child = lab.start('node-1', berth, 'site', ...args, '--kubeconfig', kubeconfig)
  let out = ''
  child.stdout?.on('data', (chunk: Buffer) => (out += chunk.toString()))
  const ended = new Promise((resolve) => child.on('exit', (_, signal) => resolve(signal)))
  await hasCome(() => out)
  child.kill('SIGKILL')
  expect(await ended).toBe('SIGKILL')
}

/** Another switch, with a router of its own and other addresses; the old one is left behind. */
async function swapBridge(): Promise<void> {
  const plugs = ['node-1-lan', 'node-2-lan', 'client-1-lan']
  lab.in('fabric', 'ip', 'link', 'add', 'br-new', 'type', 'bridge')
  lab.in('fabric', 'ip', 'link', 'set', 'br-new', 'up')
  lab.in('fabric', 'ip', 'address', 'add', `${there.gateway}/24`, 'dev', 'br-new')
  for (const plug of plugs) lab.in('fabric', 'ip', 'link', 'set', plug, 'master', 'br-new')
  const machines = { 'node-1': 11, 'node-2': 12, 'client-1': 201 }
  for (const [machine, host] of Object.entries(machines)) {
    lab.in(machine, 'ip', '-4', 'address', 'flush', 'dev', 'eth0')
    lab.in(machine, 'ip', 'address', 'add', `203.0.113.${host}/24`, 'dev', 'eth0')
  }
  const path = '/apis/berth.dev/v1alpha1/nodeinterfaces'
  await until('the speakers report the new subnet', () => {
    const text = JSON.stringify(lab.ask('control', ['get', path]))
    return /203\.0\.113\.11\b/.test(text) && /203\.0\.113\.12\b/.test(text) ? true : undefined
  })
}

/** A machine in 192.0.2.0/24, which the router of the new place leads to. */
function newBeyond(): string {
  const name = 'berth-lab-moving-beyond'
  run(['ip', 'netns', 'add', name])
  lab.in('fabric', 'sysctl', '-qw', 'net.ipv4.ip_forward=1')
  lab.in('fabric', 'ip', 'link', 'add', 'out', 'type', 'veth', 'peer', 'name', 'in', 'netns', name)
  lab.in('fabric', 'ip', 'address', 'add', '192.0.2.1/24', 'dev', 'out')
  lab.in('fabric', 'ip', 'link', 'set', 'out', 'up')
  for (const words of [
    ['link', 'set', 'in', 'up'],
    ['address', 'add', '192.0.2.2/24', 'dev', 'in'],
    ['route', 'add', 'default', 'via', '192.0.2.1'],
  ]) {
    run(['ip', '-n', name, ...words])
  }
  return name
}

describe.skipIf(inject('lab') === '')('a cluster that moves', () => {
  const folder = mkdtempSync(join(tmpdir(), 'berth-'))
  const file = join(folder, 'site.yaml')
  beforeAll(() => {
    writeFileSync(file, manifest)
    const tools = run(['bash', 'test/lab/install.sh', 'dnsmasq', 'tcpdump', 'curl'])
    if (tools.status !== 0) throw new Error(tools.err)
    lab.berth('down')
    const up = lab.berth('up', '--nodes', '2')
    if (up.status !== 0) throw new Error(up.err)
  })
  afterAll(() => {
    lab.berth('down')
    rmSync(folder, { recursive: true, force: true })
  })

  test('[R6.11] it arrives only where the addresses are free and the gateway answers', async () => {
    expect(site('apply', '-f', file, '--within', '0')).toMatchObject({ status: 0 })
    const taken = site('apply', ...flags('10.10.0.201', here.ingress, '16', here.gateway))
    expect(taken).toMatchObject({ status: 2 })
    expect(said(taken)).toContain('vip-in-use: 10.10.0.201 is in use: 02:00:00:10:02:01')
    const silent = site('apply', ...flagsOf(here, '10.10.0.99'))
    expect(silent).toMatchObject({ status: 2 })
    expect(said(silent)).toContain('no-gateway: the gateway 10.10.0.99 does not answer')
    expect(site('status').out).toContain('external  none')
    expect(site('plan', ...flagsOf(here)).out).toContain(`+ default/metallb-api      ${here.api}`)
    expect(site('apply', ...flagsOf(here)).status).toBe(0)
    await isReached(here.api)
    await isReached(here.ingress)
    expect(site('commit')).toMatchObject({ status: 0 })
  })

  test('[R6.11] a machine with the address of a node stops a move', () => {
    lab.in('control', 'ip', 'address', 'add', '10.20.0.12/16', 'dev', 'mgmt0')
    const refused = site('apply', ...flags('10.10.50.3', '10.10.50.4', '16', here.gateway))
    lab.in('control', 'ip', 'address', 'delete', '10.20.0.12/16', 'dev', 'mgmt0')
    expect(refused).toMatchObject({ status: 2 })
    expect(said(refused)).toContain('node-address-taken: 02:00:00:20:00:02 answers for 10.20.0.12')
    expect(reaches(here.api)).toBe(true)
  })

  test('[R6.4] on another bridge, a client reaches the API and ingress there', async () => {
    await swapBridge()
    expect(reaches(here.api)).toBe(false)
    const old = site('apply', ...flagsOf(there, here.gateway))
    expect(old).toMatchObject({ status: 2 })
    expect(said(old)).toContain('no-gateway')
    const moved = site('apply', ...flagsOf(there), '--base-domain', domain, '--within', '1h')
    expect(moved, said(moved)).toMatchObject({ status: 0 })
    await isReached(there.api)
    await isReached(there.ingress)
    const outside = ['-f', file, ...flagsOf(there)]
    const verified = lab.in('client-1', berth, 'site', 'verify', ...outside)
    expect(verified, said(verified)).toMatchObject({ status: 0 })
    expect(verified.out).toContain('everything that was asked answers')
  })

  test('[R6.4] a client reaches the API and ingress by name, once DNS follows', async () => {
    const server = dnsServer()
    try {
      for (const name of [`api.${domain}`, `shop.apps.${domain}`]) {
        await until(`a client reaches ${name}`, () => reachesByName(name) || undefined)
      }
      const asked = ['-f', file, ...flagsOf(there), '--base-domain', domain]
      const told = lab.in('client-1', berth, 'site', 'verify', ...asked, '--dns', there.gateway)
      expect(told.out).toContain(`ok        api.${domain} in DNS: ${there.api}\n`)
      expect(told.out).toContain(`ok        verify.apps.${domain} in DNS: ${there.ingress}\n`)
      // Backends of the lab speak no TLS.
      const failed = told.out.split('\n').filter((line) => line.startsWith('failed'))
      expect(failed).toEqual([expect.stringContaining(certificate)])
    } finally {
      server.kill('SIGKILL')
    }
  })

  test('[R6.11] from beyond the gateway, verify says whether one gets in and back', async () => {
    const beyond = newBeyond()
    const verify = () =>
      run(['ip', 'netns', 'exec', beyond, berth, 'site', 'verify', '-f', file, ...flagsOf(there)])
    try {
      const lost = verify()
      expect(lost).toMatchObject({ status: 2 })
      expect(said(lost)).toMatch(/^failed +through the gateway .*way back/m)
      for (const node of ['node-1', 'node-2']) {
        lab.in(node, 'ip', 'route', 'replace', '192.0.2.0/24', 'via', there.gateway)
      }
      const found = verify()
      expect(found, said(found)).toMatchObject({ status: 0 })
      expect(found.out).toMatch(
        /^ok +through the gateway 203\.0\.113\.1: .* by way of 192\.0\.2\.1$/m,
      )
      expect(found.out).toContain('it is behind the router 192.0.2.1')
    } finally {
      run(['ip', 'netns', 'del', beyond])
    }
  })

  test('[R6.10] while the API cannot be reached, nothing is committed, and it says so', async () => {
    lab.berth('fail', 'api')
    const cut = site('commit')
    lab.berth('heal')
    expect(cut).toMatchObject({ status: 1 })
    expect(said(cut)).toContain('cannot be reached')
    expect(site('status').out).toContain('waits to be committed')
    expect(reaches(there.api)).toBe(true)
    await until('it is committed', () => site('commit').status === 0 || undefined)
  })

  test('[R6.11] an apply that is killed while it asks has changed nothing', async () => {
    const what = 'arp and arp[24:4] == 0xcb007146'
    const dump = lab.start(
      'client-1',
      'tcpdump',
      '-l',
      '-n',
      '-i',
      'eth0',
      '-c',
      '1',
      ...what.split(' '),
    )
    const isAsked = new Promise((resolve) => dump.stdout?.once('data', resolve))
    const args = ['apply', ...flags('203.0.113.70', '203.0.113.71', '24', there.gateway)]
    await killedWhile(args, () => isAsked).finally(() => dump.kill())
    expect(site('status').out).not.toContain('203.0.113.70')
    expect(reaches(there.api)).toBe(true)
  })

  test('[R6.10] an apply that is killed after it wrote goes back alone', async () => {
    const [api, ingress] = ['203.0.113.70', '203.0.113.71']
    const args = ['apply', ...flags(api, ingress, '24', there.gateway), '--within', '15s']
    await killedWhile(args, (out) => until('it is written', () => out() || undefined))
    await isReached(api)
    await isReached(there.api)
    expect(site('status').out).toContain('because it was not committed')
  })

  test('[R6.10] with the wrong gateway and nobody to commit, it goes back alone', async () => {
    const wrong = flags('203.0.113.60', '203.0.113.61', '24', '203.0.113.99')
    const moved = site('apply', ...wrong, '--no-probe', '--within', '15s')
    expect(moved, said(moved)).toMatchObject({ status: 0 })
    await isReached('203.0.113.60')
    await isReached(there.api)
    await isReached(there.ingress)
    expect(reaches('203.0.113.60')).toBe(false)
    expect(site('status').out).toContain('because it was not committed')
    const late = site('commit')
    expect(late).toMatchObject({ status: 1 })
    expect(said(late)).toContain('too late')
  })
})
