import { createSocket, type Socket } from 'node:dgram'
import type { AddressInfo } from 'node:net'
import { createServer, type Server } from 'node:tls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nowhere } from '../../../../test/build/terminal.ts'
import type { Ip } from '../../../core/net/ip.ts'
import { newCertificate } from '../../../edge/host/certificate.ts'
import { verifySite } from './siteVerify.ts'

const [vip, baseDomain] = ['127.0.0.1' as Ip, 'edge1.example.com']
let tls: Server
let dns: Socket

/** Answers every question for an IPv4 address with that one, and no other question. */
function newDns(address: string): Promise<Socket> {
  const socket = createSocket('udp4')
  socket.on('message', (question, { port }) => {
    const end = question.indexOf(0, 12) + 5
    const type = question.readUInt16BE(end - 4)
    const head = Buffer.from(question.subarray(0, end))
    head.writeUInt16BE(0x8180, 2)
    head.writeUInt16BE(type === 1 ? 1 : 0, 6)
    head.fill(0, 8, 12)
    const record = [0xc0, 0x0c, 0, 1, 0, 1, 0, 0, 0, 1, 0, 4, ...address.split('.').map(Number)]
    socket.send(type === 1 ? Buffer.concat([head, Buffer.from(record)]) : head, port, '127.0.0.1')
  })
  return new Promise((resolve) => socket.bind(0, '127.0.0.1', () => resolve(socket)))
}

beforeAll(async () => {
  const [from, until] = [new Date('2026-01-01T00:00:00Z'), new Date('2036-01-01T00:00:00Z')]
  const { cert, key } = await newCertificate({ names: [`api.${baseDomain}`], from, until })
  tls = createServer({ cert, key })
  await new Promise<void>((resolve) => tls.listen(0, vip, resolve))
  dns = await newDns(vip)
})
afterAll(() => {
  tls.close()
  dns.close()
})

async function told(change: Partial<Parameters<typeof verifySite>[0]>): Promise<string> {
  const { port } = tls.address() as AddressInfo
  const lines: string[] = []
  const site = {
    apiVIPs: [vip],
    ingressVIPs: [vip],
    apiPort: port,
    ingressPorts: [port],
    baseDomain,
    gateways: [],
    dnsServer: `127.0.0.1:${dns.address().port}`,
    ...change,
  }
  await verifySite(site, { ...nowhere, out: (text) => lines.push(text) })
  return lines.join('')
}

test('[R6.11] the port, the name in the certificate and both names in DNS are asked for', async () => {
  const text = await told({})
  expect(text).toMatch(/^ok +127\.0\.0\.1 TCP port \d+: /m)
  expect(text).toMatch(/^ok +127\.0\.0\.1 certificate: api\.edge1\.example\.com$/m)
  expect(text).toMatch(/^ok +api\.edge1\.example\.com in DNS: 127\.0\.0\.1$/m)
  expect(text).toMatch(/^ok +verify\.apps\.edge1\.example\.com in DNS: 127\.0\.0\.1$/m)
})

test('[R6.11] another name, another address and a port that nobody listens on fail', async () => {
  const text = await told({ baseDomain: 'edge2.example.com', ingressVIPs: ['127.0.0.2' as Ip] })
  expect(text).toMatch(/^failed +127\.0\.0\.1 certificate: it is not issued for api\.edge2/m)
  const apps =
    /^failed +verify\.apps\.edge2\.example\.com in DNS: 127\.0\.0\.1 instead of 127\.0\.0\.2$/m
  expect(text).toMatch(apps)
})

test('[R6.11] without a base domain no name is asked for', async () => {
  const text = await told({ baseDomain: '' })
  expect(text).not.toMatch(/certificate|DNS/)
})

test('[R6.11] who is on the link itself cannot tell whether one gets in through the gateway', async () => {
  const text = await told({ gateways: ['127.0.0.9' as Ip] })
  expect(text).toMatch(/^not asked +through the gateway 127\.0\.0\.9: .*verify from beyond/m)
})

test('[R6.11] the gateway is asked for on the link, and no other is', async () => {
  expect(await told({ gateways: ['127.0.0.9' as Ip] })).toMatch(
    /gateway 127\.0\.0\.9 on the link: /,
  )
  expect(await told({})).not.toContain('gateway')
})
