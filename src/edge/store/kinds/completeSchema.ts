// What does a version of a custom kind say of a whole object? What its definition says of the
// content, and what Kubernetes says of the rest.
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

/** As its definition has it, which may say more of metadata.name and no more of metadata. */
export const contentOf = (complete: Schema): Schema => contents.get(complete) ?? complete
