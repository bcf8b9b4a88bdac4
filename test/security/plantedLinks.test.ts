// Links in a folder that `berth export`, `tenant render` or `site render` writes to. The attacker may push to
// the repository that contains the folder. Afterwards: nothing outside the folder was written or removed,
// and the link is named.
// Before: files outside the folder were written and removed.
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ExportFolder } from '../../src/app/cli/export/exportFolder.ts'
import { newFolder } from '../build/newFolder.ts'
import { berth } from '../build/terminal.ts'

const web = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web', namespace: 'shop' } }
const marker = '.berth-export'

/** An export, and beside it what must stay. */
function planted() {
  const [folder, outside] = [newFolder(), newFolder()]
  writeFileSync(join(folder, marker), '')
  mkdirSync(join(outside, 'shop'))
  const victim = join(outside, 'shop', 'web.yaml')
  writeFileSync(victim, 'mine: true\n')
  const isUntouched = () => existsSync(victim) && readFileSync(victim, 'utf8') === 'mine: true\n'
  return { folder, outside, victim, isUntouched }
}

test('a link in place of a file', async () => {
  const { folder, victim, isUntouched } = planted()
  mkdirSync(join(folder, 'services/shop'), { recursive: true })
  symlinkSync(victim, join(folder, 'services/shop/web.yaml'))
  const files = await ExportFolder.open(folder)
  await expect(files.write('services', web)).rejects.toThrow(/web\.yaml is a link/)
  expect(isUntouched()).toBe(true)
})

test('a link in place of a folder', async () => {
  const { folder, outside, isUntouched } = planted()
  symlinkSync(outside, join(folder, 'services'))
  const files = await ExportFolder.open(folder)
  await expect(files.write('services', web)).rejects.toThrow(/services is a link/)
  await expect(files.prune('services')).rejects.toThrow(/services is a link/)
  expect(isUntouched()).toBe(true)
})

test('a link in place of the mark', async () => {
  const { victim, isUntouched } = planted()
  const folder = newFolder()
  symlinkSync(victim, join(folder, marker))
  await expect(ExportFolder.open(folder)).rejects.toThrow(/is a link/)
  expect(isUntouched()).toBe(true)
})

const tenant = `\
apiVersion: berth.dev/v1alpha1
kind: Tenant
metadata: { name: red }
spec:
  namespaces: { names: [red] }
  networks: [{ name: lan, cidrs: [192.0.2.0/24], loadBalancer: [192.0.2.1-192.0.2.9] }]
`
const site = `\
apiVersion: berth.dev/v1alpha1
kind: Site
metadata: { name: cluster }
spec:
  internalNetwork: 192.168.126.0/24
  external: { apiVIP: 192.0.2.1, ingressVIP: 192.0.2.2, prefixLength: 24, gateway: 192.0.2.254, baseDomain: a.b }
`

test.each([
  { verb: 'tenant', text: tenant, name: 'metallb.yaml' },
  { verb: 'site', text: site, name: '50-site-cluster.yaml' },
])('a link in place of what `$verb render` writes', async ({ verb, text, name }) => {
  const { folder, victim, isUntouched } = planted()
  const file = join(newFolder(), 'given.yaml')
  writeFileSync(file, text)
  const render = () => berth([verb, 'render', '-f', file, '--output-dir', folder])
  expect(await render()).toMatchObject({ exit: 0 })
  rmSync(join(folder, name))
  symlinkSync(victim, join(folder, name))
  const { exit, err } = await render()
  expect({ exit, err }).toEqual({
    ...{ exit: 1 },
    err: `berth: ${join(folder, name)} is a link: remove it, or name another folder\n`,
  })
  expect(isUntouched()).toBe(true)
})
