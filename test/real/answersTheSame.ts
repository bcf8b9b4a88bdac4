// Real files, and what lint, plan and explain say of them, of an API that holds what they say, and of
// its export: the same, three times.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { JsonObject } from '../../src/core/model/gate.ts'
import { isRecord, recordAt, textAt } from '../../src/core/model/json.ts'
import type { LintFinding } from '../../src/core/policy/lint/lintFinding.ts'
import { namespaceNamed } from '../../src/core/sim/namespaces.ts'
import type { Api } from '../../src/edge/kube/api/client.ts'
import { ApiError } from '../../src/edge/kube/api/fault.ts'
import { pathOf } from '../../src/edge/kube/api/resource.ts'
import { ServedKinds } from '../../src/edge/kube/api/servedKinds.ts'
import { readManifests } from '../../src/edge/manifests/readManifests.ts'
import { newFolder } from '../build/newFolder.ts'
import { berth as inProcess } from '../build/terminal.ts'
import { until } from '../kube/waits.ts'

const real = '../shared/real'
export const isHere = existsSync(real)
/** What follows a title. */
export const whyNot = isHere ? '' : ` (not run: no ${real} here)`
/** One of each kind of scenario; `test/real` reads all of them. */
const scenarios = [
  ...['bgp-l3-xl', 'bgp_dt01', 'bgp_dt04_ipv6', 'dcn', 'multi-namespace', 'osasinfra-ipv6'],
  ...['uni04delta-ipv6', 'uni05epsilon', 'uni06zeta', 'uni07eta-adoption'],
]
export const paths = isHere
  ? [
      ...scenarios.map((name) => `architecture/${name}.yaml`),
      ...readdirSync(join(real, 'install_yamls')).map((name) => `install_yamls/${name}`),
    ]
  : ['none']

const berth = (...args: readonly string[]) => inProcess(args)

/** An API drops unknown fields and keeps nothing that it refuses: only files can have these. */
const onlyInFiles = new Set(['invalid', 'unknown-field', 'deprecated'])

function told(out: string): readonly string[] {
  const { findings }: { findings: LintFinding[] } = JSON.parse(out)
  return findings
    .filter(({ code }) => !onlyInFiles.has(code))
    .map(({ code, object, field, message }) => [code, object, field, message].join(' '))
    .sort()
}

async function objectsIn(path: string): Promise<readonly JsonObject[]> {
  const objects: JsonObject[] = []
  for await (const read of readManifests([path], process.stdin)) {
    if (read.ok) objects.push(read.manifest.json)
  }
  return objects
}

/**
 * The operator's webhook, which is not here, fills in what the definition requires. Kubernetes
 * estimates the cost of rules by what is required, so these go too; the embedded API has none.
 */
function withoutRequired(json: JsonObject): JsonObject {
  const stripped = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(stripped)
    if (!isRecord(value)) return value
    const { required, 'x-kubernetes-validations': _, ...rest } = value
    const kept = Object.entries(rest).map(([name, one]) => [name, stripped(one)])
    const keys = rest['x-kubernetes-list-map-keys']
    const isField = required !== undefined && !Array.isArray(required)
    const all = { ...Object.fromEntries(kept), ...(isField && { required: stripped(required) }) }
    // What a list is keyed by stays required.
    return keys === undefined ? all : { ...all, items: { ...all.items, required: keys } }
  }
  return stripped(json) as JsonObject
}

/** As client-side kubectl apply does: unknown fields are dropped, and a refusal stops nothing. */
async function createAll(api: Api, objects: readonly JsonObject[]): Promise<void> {
  const names = objects.map((json) => textAt(recordAt(json, 'metadata'), 'namespace'))
  const namespaces = new Set(['metallb-system', ...names.filter((name) => name !== '')])
  const all = [...[...namespaces].map((name) => namespaceNamed(name)), ...objects]
  const served = new ServedKinds(api)
  for (const json of all) {
    const [apiVersion, kind] = [textAt(json, 'apiVersion'), textAt(json, 'kind')]
    const found = await until(`${kind} is served`, () => served.find(apiVersion, kind))
    const namespace = textAt(recordAt(json, 'metadata'), 'namespace') || 'default'
    const path = pathOf({ ...found.resource, ...(found.isNamespaced && { namespace }) })
    try {
      await api.call({ method: 'POST', path, body: json })
    } catch (error) {
      const codes = kind === 'CustomResourceDefinition' ? [409] : [403, 409, 422]
      if (!(error instanceof ApiError) || !codes.includes(error.code)) throw error
    }
  }
}

type Asked = readonly [what: string, name: string]

/** What people ask of a cluster, of each kind the first few: each answer reads all of it. */
function questions(objects: readonly JsonObject[], plan: string): readonly Asked[] {
  const named = (kind: string, what: string): Asked[] =>
    objects
      .filter((json) => json['kind'] === kind)
      .map((json) => recordAt(json, 'metadata'))
      .map((meta) => [textAt(meta, 'namespace'), textAt(meta, 'name')].filter((one) => one !== ''))
      .map((names) => [what, what === 'pool' ? (names.at(-1) ?? '') : names.join('/')] as const)
  const { addresses }: { addresses: { service: string; after: string[] }[] } = JSON.parse(plan)
  const services = addresses.map(({ service }): Asked => ['service', service])
  const held = addresses.flatMap(({ after }) => after).map((ip): Asked => ['address', ip])
  const [pools, ipSets] = [named('IPAddressPool', 'pool'), named('IPSet', 'ipset')]
  return [services, held, pools, ipSets].flatMap((some) => some.slice(0, 3))
}

/** The same answer three times. */
async function thrice(...args: readonly string[]) {
  const first = await berth(...args)
  for (let times = 1; times < 3; times++) expect(await berth(...args)).toEqual(first)
  return first
}

export type Engine = {
  readonly api: Api
  readonly kubeconfig: string
  /** Until the controller has done what follows from what was created. */
  readonly settled: () => Promise<unknown>
}

export async function answersTheSame(
  path: string,
  { api, kubeconfig, settled }: Engine,
): Promise<void> {
  const files = join(real, path)
  const written = await berth('lint', '-f', files, '-o', 'json')
  await createAll(api, (await objectsIn(join(real, 'crds'))).map(withoutRequired))
  await createAll(api, await objectsIn(files))
  await settled()
  const at = ['--kubeconfig', kubeconfig]
  const live = await thrice('lint', '--live', ...at, '-o', 'json')
  expect(told(live.out)).toEqual(told(written.out))

  const exported = join(newFolder(), 'exported')
  expect(await berth('export', exported, ...at)).toMatchObject({ exit: 0, err: '' })
  const ofExport = await thrice('lint', '-f', exported, '-o', 'json')
  expect(told(ofExport.out)).toEqual(told(live.out))

  const planned = await berth('plan', '-f', files, '--live', ...at, '-o', 'json')
  const asked = questions(await objectsIn(files), planned.out)
  for (const one of asked) {
    const ofLive = await thrice('explain', ...one, ...at)
    expect(ofLive, one.join(' ')).toMatchObject({ exit: 0, err: '' })
    expect(await thrice('explain', ...one, '-f', exported), one.join(' ')).toEqual(ofLive)
  }

  const again = await thrice('plan', '-f', files, '--live', ...at)
  expect(again.out).toMatch(/Plan: 0 gained, 0 moved, 0 lost, /)
  const onExport = await berth('plan', '-f', files, '--against', exported)
  expect({ ...onExport, err: '' }).toEqual({ ...again, err: '' })
}
