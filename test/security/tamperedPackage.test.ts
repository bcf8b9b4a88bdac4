// A registry serves other bytes than those that were reviewed. The attacker holds the registry, or what
// is between it and the build. Afterwards: npm ends the build, as the Containerfile calls it; a registry
// that merely lacks an optional package does not end it.
// Before: the other bytes were installed.
import { execFile, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { newFolder } from '../build/newFolder.ts'

const [call = ''] = /npm ci[^\n&$]*/.exec(readFileSync('Containerfile', 'utf8')) ?? []
const [, ...args] = call.trim().split(' ')
const npmrc = readFileSync('.npmrc', 'utf8')

/** As npm packs it: one file and its manifest, in a folder of that name. */
function tarball(source: string): Buffer {
  const folder = newFolder()
  mkdirSync(join(folder, 'package'))
  const manifest = { name: 'inside', version: '1.0.0' }
  writeFileSync(join(folder, 'package', 'package.json'), JSON.stringify(manifest))
  writeFileSync(join(folder, 'package', 'index.js'), source)
  const { status, stdout } = spawnSync('tar', ['-cz', '-C', folder, 'package'])
  if (status !== 0) throw new Error('tar failed')
  return stdout
}
const integrityOf = (bytes: Buffer): string =>
  `sha512-${createHash('sha512').update(bytes).digest('base64')}`

/** It has `inside` and says whatever fits the bytes that it serves; it has no `absent`. */
async function registryWith(bytes: Buffer): Promise<string> {
  const server = createServer((request, response) => {
    const { host } = request.headers
    if (request.url === '/inside.tgz') {
      response.end(bytes)
      return
    }
    if (request.url !== '/inside') {
      response.writeHead(404).end('{}')
      return
    }
    const dist = { tarball: `http://${host}/inside.tgz`, integrity: integrityOf(bytes) }
    const of = (version: string) => ({ name: 'inside', version, dist })
    const versions = { '1.0.0': of('1.0.0'), '1.1.0': of('1.1.0') }
    response.end(JSON.stringify({ name: 'inside', 'dist-tags': { latest: '1.0.0' }, versions }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

type Built = { readonly code: number; readonly said: string; readonly folder: string }

/** Locked as ours: with hashes, and without where the registry was. */
async function built(which: 'reviewed' | 'other', wanted = '1.0.0'): Promise<Built> {
  const reviewed = tarball('module.exports = 1')
  const served = which === 'reviewed' ? reviewed : tarball('module.exports = 2')
  const [folder, registry] = [newFolder(), await registryWith(served)]
  const dependencies = { inside: '1.0.0' }
  const optionalDependencies = { absent: '1.0.0' }
  const own = { name: 'image', version: '1.0.0', dependencies, optionalDependencies }
  const packages = {
    '': own,
    'node_modules/inside': { version: '1.0.0', integrity: integrityOf(reviewed) },
    'node_modules/absent': {
      version: '1.0.0',
      integrity: integrityOf(Buffer.from('absent')),
      optional: true,
    },
  }
  const lock = { name: 'image', version: '1.0.0', lockfileVersion: 3, requires: true, packages }
  const asked = { ...own, dependencies: { inside: wanted } }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(asked))
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock))
  writeFileSync(join(folder, '.npmrc'), npmrc)
  const { PATH } = process.env
  const env = {
    PATH,
    HOME: folder,
    npm_config_cache: join(folder, 'cache'),
    npm_config_registry: registry,
  }
  const quick = { ...env, npm_config_fetch_retries: '0', npm_config_update_notifier: 'false' }
  return new Promise((resolve) => {
    execFile('npm', args, { cwd: folder, env: quick }, (error, out, err) =>
      resolve({ code: error === null ? 0 : 1, said: out + err, folder }),
    )
  })
}

test('the reviewed bytes are installed, though an optional package is missing', async () => {
  const { code, said, folder } = await built('reviewed')
  expect([code, said]).toEqual([0, expect.any(String)])
  expect(existsSync(join(folder, 'node_modules', 'inside', 'index.js'))).toBe(true)
  expect(existsSync(join(folder, 'node_modules', 'absent'))).toBe(false)
})

test('other bytes of the same version end the build', async () => {
  const { code, said, folder } = await built('other')
  expect([code, said]).toEqual([1, expect.stringContaining('EINTEGRITY')])
  expect(existsSync(join(folder, 'node_modules', 'inside', 'index.js'))).toBe(false)
})

test('so does a lock that is not of these sources', async () => {
  const { code, said } = await built('reviewed', '1.1.0')
  expect([code, said]).toEqual([1, expect.stringContaining('are in sync')])
})
