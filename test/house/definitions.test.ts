// Does kubectl say `unchanged` of what has not changed? A default inside a list is in the API and not
// in the file, and client-side apply compares lists as wholes.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readCrd } from '../../src/edge/kube/schema/crd.ts'
import type { Schema } from '../../src/edge/kube/schema/schema.ts'
import { parseManifests } from '../../src/edge/manifests/readManifests.ts'

const folder = 'deploy/crds'
const own = readdirSync(folder).filter((file) => file.startsWith('berth.dev_'))

function defaultsInLists({ properties = {}, items }: Schema, path: string): string[] {
  const below = Object.entries(properties).flatMap(([name, field]) =>
    defaultsInLists(field, `${path}.${name}`),
  )
  return [...below, ...(items === undefined ? [] : defaultsBelow(items, `${path}[]`))]
}

const defaultsBelow = ({ properties = {}, items }: Schema, path: string): string[] => [
  ...Object.entries(properties).flatMap(([name, field]) => [
    ...(field.default === undefined ? [] : [`${path}.${name}`]),
    ...defaultsBelow(field, `${path}.${name}`),
  ]),
  ...(items === undefined ? [] : defaultsBelow(items, `${path}[]`)),
]

test.each(own)('%s has no default inside a list', (file) => {
  const [read] = parseManifests(readFileSync(join(folder, file), 'utf8'), file)
  const crd = read?.ok === true ? readCrd(read.manifest.json) : undefined
  expect(crd?.versions.flatMap(({ schema }) => defaultsInLists(schema, ''))).toEqual([])
})
