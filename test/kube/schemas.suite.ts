// Does our schema walk say what the API server says? Objects are shown to both, and nothing is kept.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Api } from '../../src/edge/kube/api/client.ts'
import { pathOf, type Resource } from '../../src/edge/kube/api/resource.ts'
import type { Crd, CrdVersion } from '../../src/edge/kube/schema/crd.ts'
import { type Schema, walkSchema } from '../../src/edge/kube/schema/schema.ts'
import { parseManifests } from '../../src/edge/manifests/readManifests.ts'
import { apiAs, contract, onKubernetes, verbs } from './cluster.ts'
import { defineCrd, forgetCrd, installCrds, shippedCrds } from './crds.ts'
import { nearly } from './nearly.ts'
import { oursOf, theirsOf, type Validation } from './validation.ts'

/** Warnings come beside an answer: whoever asks several at once needs a connection for each. */
type Server = { readonly api: Api; readonly warnings: string[] }
function newServer(): Server {
  const warnings: string[] = []
  return { api: apiAs('admin', { onWarning: (text) => warnings.push(text) }), warnings }
}
const server = newServer()
const admin = server.api
const shipped = await shippedCrds()
type Json = Readonly<Record<string, unknown>>

type Kind = { readonly title: string; readonly crd: Crd; readonly version: CrdVersion }
const stored: Kind[] = shipped.flatMap(({ crd }) =>
  crd.versions
    .filter(({ storage }) => storage)
    .map((version) => ({ title: `${crd.kind} ${version.name}`, crd, version })),
)
const namespaceOf = ({ scope }: Crd) => (scope === 'Namespaced' ? { namespace: 'default' } : {})

function resourceOf({ crd, version }: Kind): Resource {
  return { group: crd.group, version: version.name, plural: crd.plural, ...namespaceOf(crd) }
}

const withMeta = ({ crd, version }: Kind, object: unknown): Json => ({
  ...(object as Json),
  apiVersion: `${crd.group}/${version.name}`,
  kind: crd.kind,
  metadata: { name: 'validated', ...namespaceOf(crd) },
})

/** What is said of the status at creation is not looked at. */
function withoutStatus({ version }: Kind, json: Json): Json {
  const { status: _, ...rest } = json
  return version.hasStatus ? rest : json
}

type Both = { readonly ours: Validation; readonly theirs: Validation }

async function bothOn(kind: Kind, object: Json, { api, warnings }: Server = server): Promise<Both> {
  const { schema } = kind.version
  const body = withoutStatus(kind, object)
  const path = pathOf(resourceOf(kind))
  const theirs = await theirsOf(api, schema, { method: 'POST', path, body, warnings })
  return { ours: oursOf(schema, body), theirs }
}

/** Where only rules object, which our walk does not evaluate, there is nothing to compare. */
function expectSame(object: unknown, { ours, theirs }: Both): void {
  if ('refused' in theirs && theirs.refused.length === 0) {
    expect({ object, ours }).toHaveProperty('ours.accepted')
  } else expect({ object, answered: ours }).toEqual({ object, answered: theirs })
}

const isAccepted = (validation: Validation): boolean => 'accepted' in validation

/** There are very many scenarios, and all of one shape: what is in them counts. */
const contentOf = (json: Json): unknown => (json['kind'] === 'Scenario' ? json['spec'] : json)

/** Every object that the scenarios and examples hold, wherever it is nested, once. */
function writtenObjects(): Json[] {
  const found = new Map<string, Json>()
  const collect = (json: unknown): void => {
    if (typeof json !== 'object' || json === null) return
    const { apiVersion, kind, metadata } = json as Json
    if (typeof apiVersion === 'string' && typeof kind === 'string' && metadata) {
      found.set(JSON.stringify({ ...json, metadata: {} }), json as Json)
    }
    for (const value of Object.values(json)) collect(value)
  }
  for (const folder of ['test/conformance', 'test/scenarios', 'examples']) {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    for (const file of files.filter((name) => name.endsWith('.yaml'))) {
      const reads = parseManifests(readFileSync(join(folder, file), 'utf8'), file)
      for (const read of reads) if (read.ok) collect(contentOf(read.manifest.json))
    }
  }
  return [...found.values()]
}

contract('our schemas', () => {
  beforeAll(() => installCrds(admin))

  test('[C97] both validate every object of the scenarios and examples alike', async () => {
    const kinds = new Map(stored.map((kind) => [kind.title, kind]))
    const objects = writtenObjects()
    let compared = 0
    const compareRest = async (one: Server): Promise<void> => {
      for (let object = objects.pop(); object !== undefined; object = objects.pop()) {
        const [group, version] = String(object['apiVersion']).split('/')
        const kind = kinds.get(`${object['kind']} ${version}`)
        if (kind?.crd.group !== group || kind === undefined) continue
        const json = withMeta(kind, object)
        expectSame(json, await bothOn(kind, json, one))
        compared++
      }
    }
    await Promise.all(Array.from({ length: 4 }, () => compareRest(newServer())))
    expect(compared).toBeGreaterThan(300)
  })

  test.for(stored)('[C98] both validate nearly right objects alike: $title', async (kind) => {
    const { status: _, metadata: __, ...properties } = kind.version.schema.properties ?? {}
    const schema: Schema = { ...kind.version.schema, properties }
    const answers = new Set<boolean>()
    for (const [at, object] of nearly(schema, 600, 1).entries()) {
      // The more fields there are, the rarer is an object without a mistake.
      if (at >= 60 && answers.size === 2) break
      const json = withMeta(kind, object)
      const both = await bothOn(kind, json)
      expectSame(json, both)
      answers.add(isAccepted(both.theirs))
    }
    if (hasFieldsBelow(schema)) expect([...answers].sort()).toEqual([false, true])
  })
})

contract('where our schemas are stricter', () => {
  beforeAll(() => installCrds(admin))

  onKubernetes(
    '[C99] the server takes a list for a string that has a format; we refuse it',
    async () => {
      const kind = stored.find(({ crd }) => crd.kind === 'ConfigurationState')
      if (kind === undefined) throw new Error('ConfigurationState is not shipped')
      const objects = verbs(admin, resourceOf(kind))
      const made = await objects.create(withMeta(kind, {}))
      const condition = {
        type: 'A',
        status: 'True',
        reason: 'B',
        message: '',
        lastTransitionTime: [],
      }
      const body = { ...made, status: { conditions: [condition] } }
      const taken = await objects.replace(made.metadata.name, body, 'status')
      await objects.remove(made.metadata.name)
      expect(taken.status).toEqual(body.status)
      const { errors } = walkSchema(kind.version.schema, body)
      expect(errors.map(({ path }) => path)).toEqual(['status.conditions[0].lastTransitionTime'])
    },
  )
})

/** Otherwise nothing can be wrong, or everything is. */
const hasFieldsBelow = ({ properties = {} }: Schema): boolean =>
  Object.values(properties).some((field) => Object.keys(field.properties ?? {}).length > 0)

contract('our schemas of statuses', () => {
  const withStatus = stored.filter(({ version }) => {
    const { status } = version.schema.properties ?? {}
    return version.hasStatus && Object.keys(status?.properties ?? {}).length > 0
  })
  beforeAll(() => installCrds(admin))

  test.for(withStatus)('[C100] both validate nearly right statuses alike: $title', async (kind) => {
    const resource = resourceOf(kind)
    const objects = verbs(admin, resource)
    const made = await objects.create(validOf(kind))
    const path = pathOf(resource, made.metadata.name, 'status')
    const { schema } = kind.version
    const { status = {} } = schema.properties ?? {}
    try {
      for (const sample of nearly(status, 40, 2)) {
        const body = { ...made, status: sample }
        const { warnings } = server
        const question = { method: 'PUT', path, body, warnings } as const
        const ours = oursOf(schema, body)
        expectSame(body, { ours, theirs: await theirsOf(admin, schema, question) })
      }
    } finally {
      await objects.remove(made.metadata.name)
    }
  })

  /** The first of the nearly right that is right. */
  function validOf(kind: Kind): Json {
    const { status: _, metadata: __, ...properties } = kind.version.schema.properties ?? {}
    const candidates = nearly({ ...kind.version.schema, properties }, 200, 3)
    const valid = candidates
      .map((candidate) => withMeta(kind, candidate))
      .find((candidate) => walkSchema(kind.version.schema, candidate).errors.length === 0)
    if (valid === undefined) throw new Error(`no valid ${kind.title} was found`)
    return valid
  }
})

contract('our schemas of versions that are not stored', () => {
  const others = shipped.flatMap(({ json, crd }) =>
    crd.versions
      .filter(({ storage, served }) => served && !storage)
      .map((version) => ({ title: `${crd.kind} ${version.name}`, json, crd, version })),
  )
  const api: Api = admin
  afterAll(async () => {
    for (const { crd } of others) {
      await forgetCrd(api, `${crd.plural}.contract.berth.dev`)
    }
  })

  test.for(others)('[C101] both validate nearly right objects alike: $title', async (other) => {
    // The same schema under another group, since without a webhook nothing can be converted.
    const crd = { ...other.crd, group: 'contract.berth.dev' }
    const kind = { title: other.title, crd, version: { ...other.version, storage: true } }
    await defineCrd(
      api,
      `${crd.plural}.contract.berth.dev`,
      standIn(other.json, crd, other.version),
    )
    const { status: _, metadata: __, ...properties } = kind.version.schema.properties ?? {}
    for (const object of nearly({ ...kind.version.schema, properties }, 60, 4)) {
      const json = withMeta(kind, object)
      expectSame(json, await bothOn(kind, json))
    }
  })

  function standIn(json: object, { group, plural }: Crd, { name }: CrdVersion): object {
    const { spec } = json as {
      spec: { names: object; scope: string; versions: { name: string }[] }
    }
    const isNew = { storage: true, deprecated: undefined, deprecationWarning: undefined }
    const versions = spec.versions
      .filter((version) => version.name === name)
      .map((version) => ({ ...version, ...isNew }))
    return {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `${plural}.${group}` },
      spec: { group, names: spec.names, scope: spec.scope, versions },
    }
  }
})
