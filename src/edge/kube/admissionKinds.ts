// Which kinds and versions may be created? Those of the CRDs that are handed in, and the core's.
import { coreKinds, metadataSchema } from './schema/coreSchemas.ts'
import type { Crd } from './schema/crd.ts'
import type { Schema } from './schema/schema.ts'

type Version = { readonly schema: Schema; readonly deprecationWarning: string | undefined }

export type AdmittedKind = {
  readonly group: string
  readonly kind: string
  readonly isNamespaced: boolean
  /** Those that are served, by name. */
  readonly versions: ReadonlyMap<string, Version>
}

/** By `group/kind`. */
export function admittedKinds(crds: readonly Crd[]): ReadonlyMap<string, AdmittedKind> {
  const core = coreKinds.map(({ group, kind, version, namespaced, schema }) => ({
    group,
    kind,
    isNamespaced: namespaced,
    versions: new Map([[version, { schema, deprecationWarning: undefined }]]),
  }))
  const custom = crds.map(({ group, kind, scope, versions }) => ({
    group,
    kind,
    isNamespaced: scope === 'Namespaced',
    versions: new Map(
      versions
        .filter(({ served }) => served)
        .map(({ name, schema, deprecationWarning }) => [
          name,
          { schema: withMetadata(schema), deprecationWarning },
        ]),
    ),
  }))
  return new Map([...core, ...custom].map((known) => [`${known.group}/${known.kind}`, known]))
}

/** A CRD says nothing of metadata: what Kubernetes says of it holds for every kind. */
const withMetadata = (schema: Schema): Schema => ({
  ...schema,
  properties: { ...schema.properties, metadata: metadataSchema },
  required: [...new Set(['metadata', ...(schema.required ?? [])])],
})
