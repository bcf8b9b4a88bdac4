// Who may import whom (ARCHITECTURE.md): rooms, packages, and what core may not touch.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const core = ['core/net', 'core/model', 'core/policy', 'core/sim', 'core/wire', 'core/session']
const edge = ['edge/manifests', 'edge/kube', 'edge/store', 'edge/host']
const mayImport: Record<string, readonly string[]> = {
  'core/net': [],
  'core/model': ['core/net'],
  'core/policy': ['core/model', 'core/net'],
  'core/sim': ['core/policy', 'core/model', 'core/net'],
  'core/wire': ['core/net'],
  'core/session': ['core/wire', 'core/net'],
  'edge/kube': ['core/model', 'core/net'],
  'edge/manifests': ['core/model', 'core/net', 'edge/kube'],
  'edge/store': ['core/model', 'core/net', 'edge/kube', 'edge/host'],
  'edge/host': ['core/net'],
  'app/cli': [...core, ...edge],
  'app/controller': [...core, ...edge],
  'app/speaker': [...core, ...edge],
  'app/openstack': [...core, ...edge],
  'app/lab': [...core, ...edge, 'app/cli'],
  'app/up': [...core, ...edge, 'app/cli', 'app/controller', 'app/speaker', 'app/openstack'],
  'main.ts': [
    ...core,
    ...edge,
    'app/cli',
    'app/controller',
    'app/speaker',
    'app/openstack',
    'app/up',
    'app/lab',
  ],
}
const mayUse: Record<string, readonly string[]> = {
  'core/model': ['@noble/hashes'],
  'core/policy': ['@noble/hashes'],
  'edge/manifests': ['js-yaml'],
  'edge/kube': ['re2js'],
  'edge/host': ['@peculiar/x509', 'koffi', 'reflect-metadata'],
}

const room = (path: string) => path.split('/').slice(0, 2).join('/')
const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) =>
  /\.tsx?$/.test(file),
)
const sources = files.filter((file) => !file.includes('.test.'))
const imported = (text: string) =>
  [...text.matchAll(/(?:from|import\()\s*'([^']+)'/g)].map(([, path = '']) => path)

test.each(files)('%s keeps to its rooms', (file) => {
  const from = room(file)
  expect(Object.keys(mayImport), `${from} is a room`).toContain(from)
  const allowed = [from, ...(mayImport[from] ?? [])]
  for (const path of imported(readFileSync(join('src', file), 'utf8'))) {
    if (!path.startsWith('.')) continue
    const target = join(dirname(file), path)
    if (file.includes('.test.') && target.startsWith('../test/build/')) continue
    expect(allowed).toContain(room(target))
  }
})

/** A node's BGP works where its layer 2 does not, and the other way round. */
test.each([
  [/^app\/speaker\/(?:bgp|bfd|frr)\//, /^app\/speaker\/(?:layer2|membership)\//],
  [/^app\/speaker\/(?:layer2|membership)\//, /^app\/speaker\/(?:bgp|bfd|frr)\//],
])('nothing in %s knows anything in %s', (from, other) => {
  const ours = sources.filter((file) => from.test(file))
  expect(ours.length).toBeGreaterThan(5)
  const known = ours.flatMap((file) =>
    imported(readFileSync(join('src', file), 'utf8'))
      .map((path) => join(dirname(file), path))
      .filter((path) => other.test(path))
      .map((path) => `${file}: ${path}`),
  )
  expect(known).toEqual([])
})

test.each(sources)('%s uses only the packages of its room', (file) => {
  const inCore = file.startsWith('core/')
  for (const path of imported(readFileSync(join('src', file), 'utf8'))) {
    if (path.startsWith('.') || (path.startsWith('node:') && !inCore)) continue
    const name = path.startsWith('@') ? path.split('/').slice(0, 2).join('/') : path.split('/')[0]
    expect(mayUse[room(file)] ?? [], `${file} imports ${path}`).toContain(name)
  }
})

test.each(sources.filter((file) => file.startsWith('core/')))('%s stays deterministic', (file) => {
  const text = readFileSync(join('src', file), 'utf8')
  for (const banned of [
    /\bnew Date\b/,
    /\bDate\.now\b/,
    /\bMath\.random\b/,
    /localeCompare/,
    /\bIntl\./,
  ]) {
    expect(text).not.toMatch(banned)
  }
})
