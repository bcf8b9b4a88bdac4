// What does an API server know of frr-k8s? Its own definitions, from the Go module proxy; where they cannot be
// had, as far as a speaker writes or reads, without a schema.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { load } from 'js-yaml'

export const frrGroup = 'frrk8s.metallb.io'
const module = 'github.com/metallb/frr-k8s@v0.0.25'
let folder: string | undefined

type Definition = { readonly name: string; readonly json: object }

const kinds = [
  ['FRRConfiguration', 'frrconfigurations', 'Namespaced'],
  ['FRRNodeState', 'frrnodestates', 'Cluster'],
  ['BGPSessionState', 'bgpsessionstates', 'Namespaced'],
  ['FRRK8sConfiguration', 'frrk8sconfigurations', 'Namespaced'],
] as const

export const frrDefinitions = (): readonly Definition[] =>
  kinds.map((kind) => (definitionsFolder() === '' ? withoutSchema(kind) : definitionOf(kind)))

/** For what is refused for other reasons than its form. */
export const openFrrDefinitions = (): readonly Definition[] => kinds.map(withoutSchema)

/** Of the definitions; '' where there is no Go or no proxy. */
export function definitionsFolder(): string {
  if (folder !== undefined) return folder
  // Not in a module of ours: it would become a part of it.
  const options = { cwd: tmpdir(), encoding: 'utf8' } as const
  const { status, stdout } = spawnSync('go', ['mod', 'download', '-json', module], options)
  const { Dir = '' } = status === 0 ? (JSON.parse(stdout) as { readonly Dir?: string }) : {}
  folder = Dir === '' ? '' : `${Dir}/config/crd/bases`
  return folder
}

function definitionOf([, plural]: (typeof kinds)[number]): Definition {
  const file = `${definitionsFolder()}/${frrGroup}_${plural}.yaml`
  return { name: `${plural}.${frrGroup}`, json: load(readFileSync(file, 'utf8')) as object }
}

function withoutSchema([kind, plural, scope]: (typeof kinds)[number]): Definition {
  const name = `${plural}.${frrGroup}`
  const anything = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
  const schema = { type: 'object', properties: { spec: anything, status: anything } }
  const version = { name: 'v1beta1', served: true, storage: true, subresources: { status: {} } }
  const names = { kind, plural, listKind: `${kind}List`, singular: plural }
  const json = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name },
    spec: {
      ...{ group: frrGroup, scope, names },
      versions: [{ ...version, schema: { openAPIV3Schema: schema } }],
    },
  }
  return { name, json }
}
