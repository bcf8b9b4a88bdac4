// How is the schema of a large CRD shipped? What lint and plan need of it, each part written once.
import type { Schema } from '../../src/edge/kube/schema/schema.ts'

/** A schema a line, children first; a number stands for the schema of that line. */
export function folded(schema: Schema): string {
  const lines = new Map<string, number>()
  const fold = (name: string, node: Schema): number => {
    const line = JSON.stringify(partOf(name, node, fold))
    const at = lines.get(line) ?? lines.size
    lines.set(line, at)
    return at
  }
  fold('', schema)
  return `${[...lines.keys()].join('\n')}\n`
}

/** Not what is required: upstream's webhook fills most of it in before the schema is asked. */
const kept = ['type', 'x-kubernetes-preserve-unknown-fields', 'x-kubernetes-int-or-string'] as const

function partOf(name: string, node: Schema, fold: (name: string, node: Schema) => number): object {
  const { properties, items, additionalProperties: values } = node
  return {
    ...Object.fromEntries(kept.flatMap((key) => (key in node ? [[key, node[key]]] : []))),
    ...(name === 'enabled' && 'default' in node ? { default: node.default } : {}),
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(properties).map(([field, one]) => [field, fold(field, one)]),
          ),
        }),
    ...(items === undefined ? {} : { items: fold('', items) }),
    ...(typeof values === 'object' ? { additionalProperties: fold('', values) } : {}),
  }
}
