// Inside the embedded API, who may import whom? docs/embedded-api.md explains the layout.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'

const store = 'src/edge/store'
/** From the ground up: each folder may import only what stands above it here. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  values: [],
  storage: ['values'],
  proto: ['values'],
  kinds: ['values', 'storage'],
  patch: ['values', 'kinds'],
  table: ['values', 'kinds'],
  write: ['values', 'storage', 'kinds', 'patch'],
  http: ['values', 'storage', 'kinds', 'patch', 'table', 'proto', 'write'],
}

const folderOf = (path: string): string => path.split('/')[0] ?? ''
const files = readdirSync(store, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.ts'),
)

/** The imports of one file that go against the arrows. */
function against(file: string, text: string): readonly string[] {
  const from = folderOf(file)
  const allowed = [from, ...(mayImport[from] ?? [])]
  return [...text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)]
    .map(([, path = '']) => normalize(join(dirname(file), path)))
    .filter((target) => !target.startsWith('..') && !allowed.includes(folderOf(target)))
}

test.each(files)('%s keeps to the arrows of the store', (file) => {
  expect(Object.keys(mayImport)).toContain(folderOf(file))
  expect(against(file, readFileSync(join(store, file), 'utf8'))).toEqual([])
})

test.each([
  ['storage/page.ts', '../write/writes.ts', true],
  ['kinds/kinds.ts', '../write/stored.ts', true],
  ['write/service/carry.ts', '../../http/server.ts', true],
  ['write/readScalar.ts', '../proto/wire.ts', true],
  ['table/tableOf.ts', '../patch/apply.ts', true],
  ['write/patch.ts', '../patch/apply.ts', false],
  ['http/read.ts', '../../kube/api/fault.ts', false],
])('%s imports %s: refused is %s', (file, path, isRefused) => {
  expect(against(file, `import { one } from '${path}'`).length > 0).toBe(isRefused)
})
