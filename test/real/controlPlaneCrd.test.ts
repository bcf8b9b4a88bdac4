// Is what we ship of OpenStackControlPlane what its CRD says, and is every Service of it known?
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { places } from '../../src/edge/kube/decode/controlPlaneTable.ts'
import { decodeControlPlane } from '../../src/edge/kube/decode/decodeControlPlane.ts'
import { Fields } from '../../src/edge/kube/decode/fields.ts'
import { readCrd } from '../../src/edge/kube/schema/crd.ts'
import type { Schema } from '../../src/edge/kube/schema/schema.ts'
import { parseManifests } from '../../src/edge/manifests/readManifests.ts'
import { folded } from '../build/foldedSchema.ts'

const file = '../shared/real/crds/core.openstack.org_openstackcontrolplanes.yaml'
const onRealFiles = test.skipIf(!existsSync(file))
const title = existsSync(file) ? '' : ` (not run: no ${file} here)`

function specOf(): Schema {
  const [read] = parseManifests(readFileSync(file, 'utf8'), file)
  const crd = read?.ok === true ? readCrd(read.manifest.json) : undefined
  const spec = crd?.versions[0]?.schema.properties?.['spec']
  if (spec === undefined) throw new Error(`${file} cannot be read as a CRD`)
  return spec
}

onRealFiles(`the shipped schema is the CRD's, folded${title}`, async () => {
  await expect(folded(specOf())).toMatchFileSnapshot(
    '../../deploy/openstack/controlplane-schema.jsonl',
  )
})

onRealFiles(`every place of the CRD that shapes a Service is in the table${title}`, () => {
  const found: string[] = []
  walk(specOf(), '', (path) => found.push(path))
  expect(places.map(({ path }) => path).sort()).toEqual(found.sort())
})

onRealFiles(`what the CRD leaves off unless it is enabled asks for nothing${title}`, () => {
  const wrong = places.filter(({ path, shape }) => {
    const steps = path.split('.')
    const override = { spec: { type: 'LoadBalancer' } }
    const last = { one: override, each: [override], endpoints: { internal: override } }[shape]
    const spec = steps.reduceRight<unknown>(
      (inner, step) => ({ [step === '*' ? 'default' : step]: inner }),
      last,
    )
    const metadata = { name: 'cp', namespace: 'openstack' }
    const { services } = decodeControlPlane(new Fields({ metadata, spec }, []))
    return services.length > 0 === isOff(specOf(), steps)
  })
  expect(wrong).toEqual([])
})

/** Whether a file that does not say `enabled` leaves it off, somewhere on the way. */
function isOff(
  { properties = {}, additionalProperties }: Schema,
  steps: readonly string[],
): boolean {
  const [step = '', ...rest] = steps
  const values = typeof additionalProperties === 'object' ? additionalProperties : undefined
  const next = step === '*' ? values : properties[step]
  if (next === undefined) return false
  return next.properties?.['enabled']?.default === false || isOff(next, rest)
}

/** Every `service` or `services` of an override that has metadata and a spec. */
function walk(schema: Schema, path: string, found: (path: string) => void): void {
  const { properties = {}, items, additionalProperties: values } = schema
  for (const [name, field] of Object.entries(properties)) {
    const at = path === '' ? name : `${path}.${name}`
    if (/verride\.services?$/.test(at) && shapes(field)) found(at)
    walk(field, at, found)
  }
  if (items !== undefined) walk(items, path, found)
  if (typeof values === 'object') walk(values, `${path}.*`, found)
}

function shapes({ properties, items, additionalProperties: values }: Schema): boolean {
  const fields = items?.properties ?? (typeof values === 'object' ? values.properties : properties)
  return fields?.['metadata'] !== undefined && fields['spec'] !== undefined
}
