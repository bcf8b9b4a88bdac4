// What if everything is killed in the middle of a move? The Site in the API is all that there is to
// go by, and it is enough.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Folder } from '../../src/app/up/folder.ts'
import type { Api } from '../../src/edge/kube/api/client.ts'
import { newFolder } from '../build/newFolder.ts'
import { until } from '../kube/waits.ts'
import { berth, newData, type Ran, startUp } from './berth.ts'

const path = '/apis/berth.dev/v1alpha1/sites/cluster'
const [here, there] = [
  { apiVIP: '203.0.113.10', ingressVIP: '203.0.113.11', prefixLength: 24 },
  { apiVIP: '198.51.100.20', ingressVIP: '198.51.100.21', prefixLength: 24 },
]
const manifest = `
apiVersion: berth.dev/v1alpha1
kind: Site
metadata: {name: cluster}
spec:
  internalNetwork: 10.0.0.0/24
  api: {namespace: default}
  ingress: {namespace: default}
`
type Service = {
  readonly status: { readonly loadBalancer: { readonly ingress?: readonly { ip: string }[] } }
}
type Site = {
  readonly spec: { readonly external?: object; readonly move?: object }
  readonly status: { readonly move?: { readonly state: string } }
}

const addressOf = async (api: Api, name: string): Promise<string> => {
  const service = `/api/v1/namespaces/default/services/${name}`
  const found = (await api.call({ method: 'GET', path: service }).catch(() => undefined)) as
    | Service
    | undefined
  return found?.status.loadBalancer.ingress?.[0]?.ip ?? ''
}
const isAt = (api: Api, place: typeof here | { apiVIP: ''; ingressVIP: '' }) =>
  until(`the two Services are at ${place.apiVIP || 'no address'}`, async () => {
    const [one, other] = [
      await addressOf(api, 'metallb-api'),
      await addressOf(api, 'metallb-ingress'),
    ]
    return one === place.apiVIP && other === place.ingressVIP ? true : undefined
  })
const siteIn = async (api: Api): Promise<Site> => (await api.call({ method: 'GET', path })) as Site

const site = (folder: Folder, ...args: readonly string[]): Promise<Ran> =>
  berth('site', ...args, '--kubeconfig', folder.kubeconfig)
const flags = ({ apiVIP, ingressVIP }: typeof here): readonly string[] => [
  ...['--api-vip', apiVIP, '--ingress-vip', ingressVIP, '--prefix-length', '24', '--no-probe'],
]

/** With its Site at the first place, for good. */
async function settledUp(folder: Folder) {
  const up = await startUp(folder)
  const file = join(newFolder(), 'site.yaml')
  writeFileSync(file, manifest)
  expect(await site(folder, 'apply', '-f', file, '--within', '0')).toMatchObject({ status: 0 })
  const applied = await site(folder, 'apply', ...flags(here), '--within', '0')
  expect(applied).toMatchObject({ status: 0 })
  await isAt(up.api, here)
  return up
}

const moveTo = (commitBy: string) => ({
  method: 'PATCH' as const,
  path,
  contentType: 'application/merge-patch+json',
  body: { spec: { external: there, move: { commitBy, before: here } } },
})
const inSeconds = (seconds: number): string =>
  new Date(Date.now() + seconds * 1000).toISOString().replace(/\.\d+Z$/, 'Z')

test('[R6.10] killed at once after it was written, it is taken back by who comes next', async () => {
  const folder = newData()
  const first = await settledUp(folder)
  // Nobody has seen it when the process ends, and its time is over when the next one starts.
  await first.api.call(moveTo(inSeconds(1)))
  await first.stop('SIGKILL')
  await new Promise((resolve) => setTimeout(resolve, 2_000))
  const second = await startUp(folder)
  await until('it is noted', async () =>
    (await siteIn(second.api)).status.move?.state === 'RolledBack' ? true : undefined,
  )
  await isAt(second.api, here)
  await second.stop('SIGKILL')
  const third = await startUp(folder)
  await isAt(third.api, here)
  expect((await siteIn(third.api)).spec.external).toMatchObject(there)
})

test('[R6.10] killed while it waits, it goes on waiting; committed, it stays', async () => {
  const folder = newData()
  const first = await settledUp(folder)
  expect(await site(folder, 'apply', ...flags(there), '--within', '1h')).toMatchObject({
    status: 0,
  })
  await isAt(first.api, there)
  await first.stop('SIGKILL')
  const second = await startUp(folder)
  await isAt(second.api, there)
  expect((await site(folder, 'status')).out).toContain('waits to be committed')
  expect(await site(folder, 'commit')).toMatchObject({ status: 0 })
  // Whoever looks next sees it: the command has waited for that.
  expect((await siteIn(second.api)).status.move?.state).toBe('Settled')
  await second.stop('SIGKILL')
  const third = await startUp(folder)
  await isAt(third.api, there)
  expect((await siteIn(third.api)).spec.move).toBeUndefined()
})

test('[R6.10] killed in the middle of going back, it arrives where it was', async () => {
  const folder = newData()
  const first = await settledUp(folder)
  expect(await site(folder, 'apply', ...flags(there), '--within', '1h')).toMatchObject({
    status: 0,
  })
  await isAt(first.api, there)
  expect(await site(folder, 'rollback')).toMatchObject({ status: 0 })
  await first.stop('SIGKILL')
  const second = await startUp(folder)
  await isAt(second.api, here)
  // A command that was cut off is simply given again.
  const again = await site(folder, 'rollback')
  expect(again).toMatchObject({ status: 1 })
  expect(again.err).toContain('no move waits')
})

test('[R6.10] an edit half-way moves on, and the old place is still kept', async () => {
  const folder = newData()
  const up = await settledUp(folder)
  expect(await site(folder, 'apply', ...flags(there), '--within', '1h')).toMatchObject({
    status: 0,
  })
  const other = { apiVIP: '198.51.100.30', ingressVIP: '198.51.100.31', prefixLength: 24 }
  const body = { spec: { external: other } }
  const contentType = 'application/merge-patch+json'
  await up.api.call({ method: 'PATCH', path, contentType, body })
  await isAt(up.api, other)
  const forged = { spec: { move: { before: other } } }
  await expect(up.api.call({ method: 'PATCH', path, contentType, body: forged })).rejects.toThrow(
    'spec.move.before',
  )
  expect(await site(folder, 'rollback')).toMatchObject({ status: 0 })
  await isAt(up.api, here)
  expect(await site(folder, 'apply', '--unplug', '--within', '0')).toMatchObject({ status: 0 })
  await isAt(up.api, { apiVIP: '', ingressVIP: '' })
})

test('[R6.11] an interface that is not there is told, with those that are and what to do', async () => {
  const folder = newData()
  await settledUp(folder)
  const wire = flags(there).filter((flag) => flag !== '--no-probe')
  const refused = await site(folder, 'apply', ...wire, '--interface', 'nowhere0')
  expect(refused.status).toBe(1)
  expect(refused.err).toMatch(
    /there is no interface nowhere0, only .*: run this on a node, name its/,
  )
})
