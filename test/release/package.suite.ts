// Does the npm package of a release work? Installed into an empty folder, it does what `make up` does.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'berth-package-'))
const data = join(folder, 'data')

function ran(program: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${error?.message ?? stderr}`)
  return stdout
}
const berth = (...args: readonly string[]): string =>
  ran(join(folder, 'app/node_modules/.bin/berth'), args, folder)

beforeAll(() => {
  const archive = join(inject('release'), 'berth-0.1.0.tgz')
  writeFileSync(join(folder, 'package.json'), '{}')
  ran('npm', ['install', '--prefix', 'app', '--no-audit', '--no-fund', archive], folder)
})
afterAll(() => {
  spawnSync(join(folder, 'app/node_modules/.bin/berth'), ['down', '--data', data])
  rmSync(folder, { recursive: true })
})

test('the installed package starts the API, gives an address, and stops', async () => {
  expect(berth('version')).toContain('berth 0.1.0')
  const pages = join(folder, 'app/node_modules/berth/dist/man')
  expect(readdirSync(pages)).toContain('berth-plan.1')
  const first = join(root, 'examples/first')
  berth('up', '--background', '--data', data, '--port', '0', '--with', first)
  const status = () => berth('status', '--kubeconfig', join(data, 'kubeconfig'))
  await expect.poll(status, { timeout: 20_000 }).toContain('1 used, 40 free')
  expect(berth('down', '--data', data)).toContain('stopped')
})
