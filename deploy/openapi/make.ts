// Which definitions of Kubernetes does the embedded API need? Asks a real API server, keeps what our
// kinds reach, one file for each package, and adds what becomes of empty fields (fields.go).
// `node deploy/openapi/make.ts` after a new version in test/kube/engine/build.sh.
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { get } from 'node:https'
import { join } from 'node:path'
import { findEngine, startKube, tokenOf } from '../../test/kube/harness.ts'

type Node = { properties?: Record<string, Node>; 'x-berth-empty'?: string }
type Nodes = Record<string, Node>

const here = import.meta.dirname
const documents = [
  'api/v1',
  'apis/apps/v1',
  'apis/discovery.k8s.io/v1',
  'apis/coordination.k8s.io/v1',
  'apis/apiextensions.k8s.io/v1',
]
const core = [
  'Service',
  'Node',
  'Namespace',
  'ConfigMap',
  'Secret',
  'Event',
  'ServiceAccount',
  'Pod',
]
const kinds = [
  ...core.map((kind) => `io.k8s.api.core.v1.${kind}`),
  'io.k8s.api.apps.v1.Deployment',
  'io.k8s.api.discovery.v1.EndpointSlice',
  'io.k8s.api.coordination.v1.Lease',
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition',
]
const others = ['Patch', 'Status', 'DeleteOptions'].map(
  (name) => `io.k8s.apimachinery.pkg.apis.meta.v1.${name}`,
)

async function published(): Promise<Nodes> {
  const engine = findEngine()
  if ('why' in engine) throw new Error(engine.why)
  const kube = await startKube(engine.folder)
  try {
    const found = await Promise.all(
      documents.map((path) => read(`${kube.server}/openapi/v3/${path}`)),
    )
    return Object.assign({}, ...found.map(({ components }) => components.schemas))
  } finally {
    await kube.stop()
  }
}

function read(url: string): Promise<{ components: { schemas: Nodes } }> {
  const headers = { Authorization: `Bearer ${tokenOf('admin')}`, Accept: 'application/json' }
  return new Promise((resolve, reject) => {
    get(url, { headers, rejectUnauthorized: false }, async (response) => {
      const text = (await Array.fromAsync(response.setEncoding('utf8'))).join('')
      resolve(JSON.parse(text))
    }).on('error', reject)
  })
}

function reached(all: Nodes): string[] {
  const found = new Set<string>()
  const visit = (name: string): void => {
    if (found.has(name)) return
    found.add(name)
    const text = JSON.stringify(all[name])
    if (text === undefined) throw new Error(`${name} is not published`)
    for (const [, other = ''] of text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)) visit(other)
  }
  for (const name of [...kinds.flatMap((kind) => [kind, `${kind}List`]), ...others]) visit(name)
  return [...found].sort()
}

/** `k8s.io/api/core/v1.Service` is published as `io.k8s.api.core.v1.Service`. */
const publishedName = (goName: string): string =>
  goName.replace(/^k8s\.io\//, 'io.k8s.').replaceAll('/', '.')

function emptyFields(): Map<string, Record<string, string>> {
  const run = spawnSync('go', ['run', join(here, 'fields.go')], {
    cwd: join(here, '../../test/kube/engine'),
    encoding: 'utf8',
  })
  if (run.status !== 0) throw new Error(run.stderr)
  const types = JSON.parse(run.stdout) as Record<string, Record<string, string>>
  return new Map(Object.entries(types).map(([name, fields]) => [publishedName(name), fields]))
}

const all = await published()
const empty = emptyFields()
const files = new Map<string, Nodes>()
for (const name of reached(all)) {
  const definition = all[name] ?? {}
  for (const [field, word] of Object.entries(empty.get(name) ?? {})) {
    const node = definition.properties?.[field]
    if (node) node['x-berth-empty'] = word
  }
  const file = name.slice(0, name.lastIndexOf('.'))
  files.set(file, { ...files.get(file), [name]: definition })
}
for (const [name, definitions] of files) {
  writeFileSync(join(here, `${name}.json`), `${JSON.stringify(definitions, undefined, 2)}\n`)
}
