// What is the schema of a whole custom object? That of its definition, and Kubernetes' own for the
// metadata.
import type { Schema } from '../../kube/schema/schema.ts'
import { definition } from './definitions.ts'

export const objectMeta = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'

const contents = new WeakMap<Schema, Schema>()

export function completeSchema(content: Schema): Schema {
  const complete: Schema = {
    ...content,
    properties: {
      ...content.properties,
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: definition(objectMeta),
    },
  }
  contents.set(complete, content)
  return complete
}

/** As in the definition, which may restrict metadata.name but nothing else of the metadata. */
export const contentOf = (complete: Schema): Schema => contents.get(complete) ?? complete
