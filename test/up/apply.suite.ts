// Is a saved plan carried out as it was shown, and not at all once something has changed?
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Api } from '../../src/edge/kube/api/client.ts'
import { berth as inProcess, pool, service } from '../build/terminal.ts'
import { until } from '../kube/waits.ts'
import { newData, startUp } from './berth.ts'

const berth = (...args: readonly string[]) => inProcess(args)
const services = '/api/v1/namespaces/default/services'
type Service = {
  spec: { ports: { port: number; nodePort: number }[] }
  status: { loadBalancer: { ingress?: { ip: string }[] } }
}
const addressOf = async (api: Api): Promise<string> => {
  const found = (await api.call({ method: 'GET', path: `${services}/web` })) as Service
  return found.status.loadBalancer.ingress?.[0]?.ip ?? ''
}
const portsOf = async (api: Api): Promise<Service['spec']['ports']> => {
  const found = (await api.call({ method: 'GET', path: `${services}/web` })) as Service
  return found.spec.ports
}

test('a plan is applied once, and refused when the cluster is another one', async () => {
  const { folder, api } = await startUp(newData())
  const at = ['--kubeconfig', folder.kubeconfig]
  const [change, saved] = ['change.yaml', 'saved'].map((name) => join(folder.path, '..', name))
  if (change === undefined || saved === undefined) throw new Error('no files')
  const plan = (...more: readonly string[]) =>
    berth('plan', '-f', change, '--live', ...at, '--out', saved, ...more)

  writeFileSync(change, pool('lan', '10.0.0.1-10.0.0.2') + service('web'))
  expect((await plan()).out).toContain('+ default/web  10.0.0.1  from lan')
  expect(await berth('apply', saved, ...at)).toMatchObject({
    exit: 0,
    out: 'IPAddressPool/metallb-system/lan created\nService/default/web created\n',
  })
  await until('web has its address', async () => (await addressOf(api)) === '10.0.0.1' || undefined)
  const again = await berth('apply', saved, ...at)
  expect(again.err).toContain('IPAddressPool/metallb-system/lan is new')
  expect(again.err).toContain('nothing was written')
  expect(again.exit).toBe(2)

  const [before] = await portsOf(api)
  writeFileSync(change, service('web', 'example.com/note: x'))
  await plan()
  expect((await berth('apply', saved, ...at)).out).toBe('Service/default/web configured\n')
  expect(await portsOf(api)).toEqual([before])

  await plan('--delete', 'pool/lan')
  const other = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'other' } }
  const body = { ...other, spec: { ports: [{ port: 1 }] } }
  await api.call({ method: 'POST', path: services, body })
  const late = await berth('apply', saved, ...at)
  expect(late.err).toContain('Service/default/other is new')
  expect(late.exit).toBe(2)
  await plan('--delete', 'pool/lan')
  expect((await berth('apply', saved, ...at)).out).toMatch(/lan deleted\n$/)
})

test('--prune and --delete of a running API: what goes is shown, and nothing is written', async () => {
  const { folder, api } = await startUp(newData(), '--no-node')
  const at = ['--kubeconfig', folder.kubeconfig]
  const [all, saved] = ['all.yaml', 'saved'].map((name) => join(folder.path, '..', name))
  if (all === undefined || saved === undefined) throw new Error('no files')
  const lan = pool('lan', '10.0.0.1-10.0.0.2')
  writeFileSync(all, lan + service('web') + pool('spare', '10.1.0.1/32'))
  await berth('plan', '-f', all, '--live', ...at, '--out', saved)
  await berth('apply', saved, ...at)
  await until('web has its address', async () => (await addressOf(api)) === '10.0.0.1' || undefined)

  writeFileSync(all, lan)
  const asked = ['plan', '-f', all, '--live', '--prune', '--all', ...at]
  const pruned = await berth(...asked)
  expect(pruned.out).toContain('- default/web  10.0.0.1')
  expect(pruned.out).toContain('Plan: 0 gained, 0 moved, 1 lost, 0 kept, 0 waiting')
  expect(pruned.exit).toBe(2)
  const both = await berth(...asked, '--delete', 'svc/default/gone')
  expect(both.err).toContain('berth: there is no Service/default/gone')
  expect(both.exit).toBe(1)
  expect(await addressOf(api)).toBe('10.0.0.1')
})
