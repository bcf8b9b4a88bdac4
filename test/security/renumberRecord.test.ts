// A Service claims that a renumbering has begun, and which address it had then. The attacker may
// annotate Services in its namespace, and waits until an administrator renumbers. Afterwards: each
// Service moves from the address that it holds.
// Before: the address in the annotation was reserved for its Service, and no Service could be
// renumbered.
import { expect, test } from 'vitest'
import { berth, folderOf } from '../build/terminal.ts'

const pool = `
apiVersion: metallb.io/v1beta1
kind: IPAddressPool
metadata: {name: lan, namespace: metallb-system}
spec: {addresses: [172.17.0.80-172.17.0.90]}
`
const [there, back] = [
  { from: '172.17.0.0/24', to: '172.27.0.0/24' },
  { from: '172.27.0.0/24', to: '172.17.0.0/24' },
]
const service = (key: string, ip: string, was?: object): string => {
  const [namespace, name] = key.split('/')
  const record = was && { 'berth.dev/renumbering': JSON.stringify(was) }
  const status = ip === '' ? {} : { loadBalancer: { ingress: [{ ip }] } }
  const object = {
    ...{ apiVersion: 'v1', kind: 'Service', status },
    metadata: { name, namespace, uid: key, resourceVersion: '1', annotations: { ...record } },
    spec: { type: 'LoadBalancer', ports: [{ port: 80 }] },
  }
  return `---\n${JSON.stringify(object)}\n`
}
const elsewhere = { from: '10.1.0.0/24', to: '10.2.0.0/24' }
const moves = (out: string) => [...out.matchAll(/^ {2}~ (\S+) {2}(.*)$/gm)].map(([line]) => line)

test.each([
  ['that holds another', there, '172.17.0.81'],
  ['that holds none', there, ''],
  ['that would be elsewhere', elsewhere, '172.17.0.81'],
  ['that takes back what never was', back, '172.17.0.81'],
])('[R15.4] a Service %s gets nothing by what it says it had', async (_, began, holds) => {
  const forged = { ...began, ips: '172.17.0.80', asked: '' }
  const manifests =
    pool + service('alpha/forger', holds, forged) + service('beta/victim', '172.17.0.80')
  const folder = folderOf({ 'all.yaml': manifests })
  const { out, err } = await berth(['renumber', there.from, there.to, '-f', folder])
  expect(moves(out), out + err).toContain('  ~ beta/victim  172.17.0.80 -> 172.27.0.80')
  const taken = `${out}${err}`.split('\n').filter((line) => /forger/.test(line))
  expect(taken.join('\n')).not.toMatch(/\.80\b/)
})
