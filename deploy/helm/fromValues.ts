// What does the chart take? Its README and values.schema.json, made from values.yaml and its comments:
// `node deploy/helm/fromValues.ts` writes both.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { load } from 'js-yaml'

const folder = join(import.meta.dirname, 'berth')

/** What a value may be, where its default does not say it all. */
const choices: Readonly<Record<string, readonly unknown[]>> = {
  'controller.webhookMode': ['enabled', 'disabled', 'onlywebhook'],
  'crds.validationFailurePolicy': ['Ignore', 'Fail'],
  'image.pullPolicy': ['Always', 'IfNotPresent', 'Never'],
  'openshift.securityContextConstraints': ['auto', 'true', 'false', true, false],
  'openstack.mode': ['auto', 'serve', 'observe'],
  'speaker.bgpBackend': ['berth', 'frr', 'frr-k8s'],
  'speaker.frr.image.pullPolicy': ['Always', 'IfNotPresent', 'Never'],
  'speaker.members.mode': ['pods', 'nodes'],
}
/** Whatever Kubernetes takes there. */
const open = new Set([
  'affinity',
  'additionalLabels',
  'annotations',
  'labels',
  'nodeSelector',
  'podAnnotations',
  'resources',
  'securityContext',
  'strategy',
  'updateStrategy',
])

type Row = { readonly path: string; readonly value: unknown; readonly about: string }
type Schema = Readonly<Record<string, unknown>>

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The comment above each key, by its path. */
function commentsIn(text: string): ReadonlyMap<string, string> {
  const comments = new Map<string, string>()
  const above: string[] = []
  let said: string[] = []
  for (const line of text.split('\n')) {
    const [, indent = '', comment, key] = /^( *)(?:# ?(.*)|([\w.-]+):.*)$/.exec(line) ?? []
    if (comment !== undefined) said.push(comment)
    else if (key !== undefined) {
      above.splice(indent.length / 2, above.length, key)
      if (said.length > 0) comments.set(above.join('.'), said.join(' '))
      said = []
    } else said = []
  }
  return comments
}

function* leaves(value: unknown, path: readonly string[] = []): Generator<[string, unknown]> {
  const isLeaf = !isRecord(value) || Object.keys(value).length === 0 || open.has(path.at(-1) ?? '')
  if (isLeaf) yield [path.join('.'), value]
  else for (const [key, inner] of Object.entries(value)) yield* leaves(inner, [...path, key])
}

/** A comment above a group is told with its first value. */
function rowsOf(values: unknown, comments: ReadonlyMap<string, string>): readonly Row[] {
  const told = new Set<string>()
  return [...leaves(values)].map(([path, value]) => {
    const parts = path.split('.')
    const about = parts.flatMap((_, at) => {
      const group = parts.slice(0, at + 1).join('.')
      if (told.has(group)) return []
      told.add(group)
      return comments.get(group) ?? []
    })
    return { path, value, about: about.join(' ') }
  })
}

function schemaOf(
  value: unknown,
  path: readonly string[],
  about: ReadonlyMap<string, string>,
): Schema {
  const name = path.join('.')
  const description = about.get(name)
  const said = description === undefined ? {} : { description }
  const choice = choices[name]
  if (choice !== undefined) return { ...said, enum: choice }
  if (path.at(-1) === 'tag') return { ...said, ...tag }
  if (Array.isArray(value)) return { ...said, type: 'array' }
  if (!isRecord(value)) return { ...said, type: Number.isInteger(value) ? 'integer' : typeof value }
  if (name.endsWith('er.image')) {
    const text = { type: 'string' }
    return closed(said, { repository: text, tag, digest: text, pullPolicy: text })
  }
  if (open.has(path.at(-1) ?? '')) return { ...said, type: 'object' }
  const inner = Object.entries(value).map(([key, one]) => [
    key,
    schemaOf(one, [...path, key], about),
  ])
  return closed(said, Object.fromEntries(inner))
}

/** `--set` makes a number of a tag that looks like one; of 1.10 nobody could tell it from 1.1. */
const tag = { type: ['string', 'integer'] }

/** So that a value that is spelled wrong is refused, not ignored. */
const closed = (said: object, properties: object): Schema => ({
  ...said,
  type: 'object',
  additionalProperties: false,
  properties,
})

export function chartSchema(text: string): string {
  const about = commentsIn(text)
  const { properties, ...schema } = schemaOf(load(text), [], about)
  const all = { ...schema, properties: { ...(properties as object), global: { type: 'object' } } }
  const $schema = 'http://json-schema.org/draft-07/schema#'
  return `${JSON.stringify({ $schema, title: 'Values of the chart berth', ...all }, null, 2)}\n`
}

export function chartReadme(text: string): string {
  const cell = (words: string) => words.replaceAll('|', '\\|')
  const rows = rowsOf(load(text), commentsIn(text)).map(
    ({ path, value, about }) =>
      `| \`${path}\` | \`${cell(JSON.stringify(value))}\` | ${cell(about)} |`,
  )
  return `# The chart of Berth

Addresses and announcements for Services on bare metal, in place of MetalLB. How to install, upgrade and
uninstall is in the [guide](../../../docs/guides/install.md). This page is made from \`values.yaml\`.

| value | default | meaning |
| --- | --- | --- |
${rows.join('\n')}
`
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const text = readFileSync(join(folder, 'values.yaml'), 'utf8')
  writeFileSync(join(folder, 'values.schema.json'), chartSchema(text))
  writeFileSync(join(folder, 'README.md'), chartReadme(text))
}
