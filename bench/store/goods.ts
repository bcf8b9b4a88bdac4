// What is written? ConfigMaps of about 1 KB, and small custom resources.
import { type Answer, Line, requestBytes } from './line.ts'
import type { Server } from './servers.ts'

export type Goods = {
  readonly name: string
  readonly path: string
  readonly object: (name: string, text: string) => Readonly<Record<string, unknown>>
}

export const namespace = 'default'
const group = 'bench.berth.dev'

const words = `
  address announce backend balancer bandwidth bridge certificate client cluster connection default
  deployment enabled endpoint failover false gateway healthcheck hostname ingress interval latency
  listen local log-level maximum memory metrics minimum namespace network node password policy pool
  port priority protocol proxy quota range region replicas request resolver retry route secret server
  service session storage subnet timeout token tracing true upstream username volume weight zone
`
  .trim()
  .split(/\s+/)

/** Text of a given length, different for each seed, with the entropy of real configuration. */
function settings(seed: number, length: number): string {
  let [text, state] = ['', seed]
  while (text.length < length) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    text += `${words[state % words.length]}: ${state >>> 8}\n`
  }
  return text.slice(0, length)
}

let made = 0

/** About 1 KB as stored, managedFields included. */
export const configMaps: Goods = {
  name: 'ConfigMap, 1 KB',
  path: `/api/v1/namespaces/${namespace}/configmaps`,
  object: (name, text) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace, labels: { app: 'bench' } },
    data: { text, settings: settings(made++, 540) },
  }),
}

export const boats: Goods = {
  name: 'custom resource',
  path: `/apis/${group}/v1/namespaces/${namespace}/boats`,
  object: (name, text) => ({
    apiVersion: `${group}/v1`,
    kind: 'Boat',
    metadata: { name, namespace },
    spec: { home: text, lengthMetres: 12, crew: ['ada', 'grace'] },
  }),
}

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `boats.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { plural: 'boats', singular: 'boat', kind: 'Boat', listKind: 'BoatList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                required: ['home'],
                properties: {
                  home: { type: 'string', maxLength: 200 },
                  lengthMetres: { type: 'integer', minimum: 1, maximum: 500 },
                  crew: { type: 'array', items: { type: 'string', maxLength: 60 } },
                },
              },
            },
          },
        },
      },
    ],
  },
}

/** Resolves once the kind is served. */
export async function defineBoats(server: Server): Promise<void> {
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
  const line = await Line.open(server)
  await line.expect(201, requestBytes(server, 'POST', path, definition))
  const list = requestBytes(server, 'GET', `${boats.path}?limit=1`)
  for (let answer: Answer | undefined; answer?.code !== 200; ) {
    answer = await line.ask(list)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  line.close()
}
