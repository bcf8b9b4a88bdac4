// What does an API server know of frr-k8s? Its definitions, as far as a speaker writes or reads;
// BERTH_FRR_K8S_CRDS names its own.
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { load } from 'js-yaml'

export const frrGroup = 'frrk8s.metallb.io'

type Definition = { readonly name: string; readonly json: object }

export const frrDefinitions = (): readonly Definition[] => [
  definitionOf('FRRConfiguration', 'frrconfigurations', 'Namespaced'),
  definitionOf('FRRNodeState', 'frrnodestates', 'Cluster'),
  definitionOf('BGPSessionState', 'bgpsessionstates', 'Namespaced'),
]

function definitionOf(kind: string, plural: string, scope: string): Definition {
  const [folder, name] = [process.env['BERTH_FRR_K8S_CRDS'], `${plural}.${frrGroup}`]
  if (folder !== undefined) {
    const file = `${folder}/${frrGroup}_${plural}.yaml`
    return { name, json: load(readFileSync(file, 'utf8')) as object }
  }
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
