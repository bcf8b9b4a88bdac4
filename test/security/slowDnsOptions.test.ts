// Options of DNS servers that dnsmasq takes long to test. The attacker holds a token of `berth up` for a namespace.
// Afterwards: the DNS server of another namespace is started meanwhile.
// Before: it waited until all of them were tested, up to 10 s for each of 16, and again at each change.
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { expect, onTestFinished, test } from 'vitest'
import { runDns } from '../../src/app/openstack/dns/runDns.ts'
import { systemClock } from '../../src/edge/host/clock.ts'
import { clientTo } from '../build/apiClient.ts'
import { ApiStand } from '../build/apiStand.ts'
import { newFolder } from '../build/newFolder.ts'
import { shippedCrds } from '../build/shippedCrds.ts'

/** Whether options are good it tells of those of beta at once, and of others after minutes. */
function slowDnsmasq(folder: string): () => number {
  const [program, tested] = [join(folder, 'dnsmasq'), join(folder, 'tested')]
  const script = `#!/bin/sh
case "$*" in
  *--test*alpha*) echo "$*" >> ${tested}; exec sleep 300;;
  *--test*) exit 0;;
esac
exec sleep 300
`
  writeFileSync(program, script)
  chmodSync(program, 0o755)
  return () => (existsSync(tested) ? readFileSync(tested, 'utf8').split('\n').length - 1 : 0)
}

test('[R13.4] a namespace waits for none but its own', { timeout: 60_000 }, async () => {
  const stand = await ApiStand.start({ isWhole: true })
  onTestFinished(() => stand.stop())
  const folder = newFolder()
  mkdirSync(folder, { recursive: true })
  const tested = slowDnsmasq(folder)
  const path = process.env['PATH']
  process.env['PATH'] = `${folder}:${path}`
  onTestFinished(() => {
    process.env['PATH'] = path
  })
  const create = async (of: string, body: unknown) => {
    const headers = { 'Content-Type': 'application/json' }
    const { code, text } = await stand.ask(of, { method: 'POST', body, headers })
    expect(code, text).toBe(201)
  }
  for (const { json } of shippedCrds) {
    await create('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', json)
  }
  const serve = async (namespace: string, name: string) => {
    const labels = { service: 'dnsmasq', 'app.kubernetes.io/managed-by': 'berth' }
    await create(`/apis/network.openstack.org/v1beta1/namespaces/${namespace}/dnsmasqs`, {
      ...{ apiVersion: 'network.openstack.org/v1beta1', kind: 'DNSMasq', metadata: { name } },
      spec: { options: [] },
    })
    const template = { metadata: { labels }, spec: { containers: [{ name: 'dns', image: 'x' }] } }
    await create(`/apis/apps/v1/namespaces/${namespace}/deployments`, {
      metadata: { name: `dnsmasq-${name}`, labels },
      spec: { replicas: 1, selector: { matchLabels: labels }, template },
    })
  }
  for (const name of ['alpha', 'beta']) await create('/api/v1/namespaces', { metadata: { name } })
  for (const name of ['a', 'b', 'c', 'd']) await serve('alpha', name)
  await serve('beta', 'dns')
  const stop = new AbortController()
  const parts = { clock: systemClock, random: Math.random, log: () => undefined }
  const api = clientTo(stand.api.port)
  const note = join(folder, 'note')
  const running = runDns(
    { ...parts, api, note, address: '127.0.0.1', firstPort: 20_300 },
    stop.signal,
  )
  const beta = '/apis/apps/v1/namespaces/beta/deployments/dnsmasq-dns'
  const answersAt = async () => {
    const { json } = await stand.ask(beta)
    return json.metadata.annotations?.['berth.dev/answers-at']
  }
  await expect.poll(answersAt, { timeout: 45_000 }).toMatch(/^127\.0\.0\.1:20/)
  expect(tested(), 'of alpha').toBeLessThan(4)
  stop.abort()
  await running
})
