// Kinds come from one table: no resource is spelt out elsewhere in src, and what deploy/ grants and
// registers is what the table says.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type KindRow, kinds, rowOf } from '../../src/edge/kube/kinds.ts'
import { parseManifests } from '../../src/edge/manifests/readManifests.ts'

/** The embedded API lists what it serves, which is Kubernetes' and not ours. */
const others =
  /\.test\.ts$|^edge\/store\/|^edge\/kube\/(?:k|namedK|openstackK)inds\.ts$|^core\/model\/apiGroups\.ts$/
const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && !others.test(file),
)

test.each(sources)('%s names no resource of its own', (file) => {
  const text = readFileSync(join('src', file), 'utf8')
  expect(text).not.toMatch(/\bplural: '|\bversion: 'v\d|\bgroup: '[a-z]/)
  const [, spelt = ''] = /\bapiVersion: '[^']*',\s*kind: '(\w+)'/.exec(text) ?? []
  expect(kinds.map(({ kind }) => kind)).not.toContain(spelt)
})

/** What converts between the versions of a kind names them. */
const converting = 'edge/kube/convert/'
const served = kinds
  .map(({ group }) => group)
  .filter((group) => group !== '' && !group.endsWith('.k8s.io'))
const apiVersion = new RegExp(`'(?:${[...new Set(served), 'discovery.k8s.io'].join('|')})/v\\d`)

test.each(sources.filter((file) => !file.startsWith(converting)))(
  '%s names no API version of its own',
  (file) => expect(readFileSync(join('src', file), 'utf8')).not.toMatch(apiVersion),
)

test('a kind has one row, and a resource one kind', () => {
  const names = kinds.map(({ kind }) => kind)
  const plurals = kinds.map(nameOf)
  expect(new Set(names).size).toBe(names.length)
  expect(new Set(plurals).size).toBe(plurals.length)
})

type Rule = {
  readonly apiGroups: readonly string[]
  readonly resources: readonly string[]
  readonly resourceNames?: readonly string[]
  readonly verbs: readonly string[]
}
type Role = { readonly kind: string; readonly rules: readonly Rule[] }

const nameOf = ({ group, plural }: KindRow): string =>
  group === '' ? plural : `${plural}.${group}`

/** Helm's lines are left out: what they decide is how objects are called, not what they grant. */
function documentsIn(path: string): readonly object[] {
  const text = readFileSync(path, 'utf8')
  const plain = text.split('\n').filter((line) => !line.includes('{{'))
  return parseManifests(plain.join('\n'), path).map((read) => {
    if (!read.ok) throw new Error(read.unreadable.why)
    return read.manifest.json
  })
}

const rolesIn = (path: string): readonly Role[] =>
  documentsIn(path).filter((json): json is Role => 'rules' in json)

const granted = (roles: readonly Role[], kind: string): readonly Rule[] =>
  roles.filter((role) => role.kind === kind).flatMap(({ rules }) => rules)

const named = ({ apiGroups, resources }: Rule): readonly string[] =>
  apiGroups.flatMap((group) =>
    resources.map((one) => (group === '' ? one : `${one.split('/')[0]}.${group}`)),
  )

/** By a CustomResourceDefinition, and not by Kubernetes itself. */
const isDefined = ({ group }: KindRow): boolean => group !== 'apps' && served.includes(group)

const programs = ['controller', 'speaker', 'openstack'] as const
const roleFiles = {
  controller: ['deploy/kustomize/controller/rbac.yaml', 'deploy/helm/berth/templates/rbac.yaml'],
  speaker: ['deploy/kustomize/speaker/rbac.yaml', 'deploy/helm/berth/templates/speaker-rbac.yaml'],
  openstack: [
    'deploy/kustomize/openstack/rights/rbac.yaml',
    'deploy/helm/berth/templates/openstack-rbac.yaml',
  ],
}
const roles = programs.flatMap((program) => roleFiles[program].map((path) => ({ program, path })))

test.each(roles)('$path lets the $program watch what it watches', ({ program, path }) => {
  const found = rolesIn(path)
  const watchable = (kind: string) =>
    granted(found, kind)
      .filter(({ verbs }) => verbs.includes('list') && verbs.includes('watch'))
      .flatMap(named)
  for (const row of kinds.filter((one) => one[program] !== undefined)) {
    const role = row.scope === 'ours' ? 'Role' : 'ClusterRole'
    expect(watchable(role), `${role} of the ${program}`).toContain(nameOf(row))
  }
})

test.each(roles)('$path lets the $program watch definitions', ({ program, path }) => {
  const readable = granted(rolesIn(path), 'ClusterRole')
    .filter(({ resources }) => resources.includes('customresourcedefinitions'))
    .filter(({ verbs }) => ['get', 'list', 'watch'].every((verb) => verbs.includes(verb)))
    .flatMap(({ resourceNames = [] }) => resourceNames)
  // Objects are kept while their definition is missing, and a missing definition is waited for.
  for (const row of kinds.filter((one) => one[program] !== undefined && isDefined(one))) {
    expect(readable).toContain(nameOf(row))
  }
})

test.each(roles)('$path grants nothing that is not in the table', ({ path }) => {
  const known = new Set(kinds.map(nameOf))
  for (const rule of rolesIn(path).flatMap(({ rules }) => rules)) {
    for (const name of named(rule)) expect(known).toContain(name.replace(/\/status$/, ''))
  }
})

test.each(programs)('the chart grants the %s what the kustomization does', (program) => {
  const [one = [], other = []] = roleFiles[program].map((path) =>
    rolesIn(path).flatMap(({ kind, rules }) => rules.map((rule) => JSON.stringify([kind, rule]))),
  )
  expect(other.toSorted()).toEqual(one.toSorted())
})

/** Where FRR has the BGP sessions. */
test.each(['frr', 'frr-k8s'])('the chart grants for %s what the overlay does', (backend) => {
  const overlay = `deploy/kustomize/${backend}${backend === 'frr' ? '' : '/rights'}/rbac.yaml`
  const [one = [], other = []] = [
    overlay,
    `deploy/helm/berth/templates/speaker-${backend}.yaml`,
  ].map((path) =>
    rolesIn(path).flatMap(({ kind, rules }) => rules.map((rule) => JSON.stringify([kind, rule]))),
  )
  expect(one.length).toBeGreaterThan(0)
  expect(other.toSorted()).toEqual(one.toSorted())
  const known = new Set(kinds.map(nameOf))
  for (const rule of rolesIn(overlay).flatMap(({ rules }) => rules)) {
    for (const name of named(rule)) expect(known).toContain(name)
  }
})

const isOpenstack = ({ group }: KindRow): boolean => group === 'network.openstack.org'
const places = [
  { of: 'Berth', rows: kinds.filter((row) => !isOpenstack(row)), file: 'controller/webhooks.yaml' },
  {
    of: 'OpenStack',
    rows: kinds.filter(isOpenstack),
    file: 'openstack/rights/webhooks.yaml',
  },
].map(({ rows, ...place }) => ({
  ...place,
  validated: rows.flatMap(({ webhook, ...row }) =>
    webhook === undefined ? [] : registered(row, webhook.operations),
  ),
  completed: [
    ...rows.flatMap((row) => (row.isCompleted ? registered(row, ['CREATE', 'UPDATE']) : [])),
    // Pods that keep their address (R12.15).
    ...(place.of === 'OpenStack' ? [registered(rowOf('Pod'), ['CREATE'])] : []),
  ],
}))

function registered(
  { group, version, plural }: Pick<KindRow, 'group' | 'version' | 'plural'>,
  operations: readonly string[],
): string {
  return `${group}/${version}/${plural} ${operations}`
}

test.each(places)('the kustomization registers the webhooks of $of', (place) => {
  type Webhooks = { readonly webhooks: readonly { readonly rules: readonly Registered[] }[] }
  type Registered = Pick<Rule, 'apiGroups' | 'resources'> & {
    readonly apiVersions: readonly string[]
    readonly operations: readonly string[]
  }
  const inKind = (kind: string) =>
    documentsIn(`deploy/kustomize/${place.file}`)
      .filter(
        (json): json is Webhooks => 'webhooks' in json && 'kind' in json && json.kind === kind,
      )
      .flatMap(({ webhooks }) => webhooks.flatMap(({ rules }) => rules))
      .map(
        ({ apiGroups, apiVersions, resources, operations }) =>
          `${apiGroups}/${apiVersions}/${resources} ${operations}`,
      )
      .toSorted()
  expect(inKind('ValidatingWebhookConfiguration')).toEqual(place.validated.toSorted())
  expect(inKind('MutatingWebhookConfiguration')).toEqual(place.completed.toSorted())
})

const charted = [
  { of: 'Berth', file: 'webhooks.yaml' },
  { of: 'OpenStack', file: 'openstack-webhooks.yaml' },
]

test.each(charted)('the chart registers the same of $of', ({ of: whose, file }) => {
  const text = readFileSync(`deploy/helm/berth/templates/${file}`, 'utf8')
  const usual = /\.operations \| default \(list ([^)]*)\)/.exec(text)?.[1]
  const shown = [...text.matchAll(/\bof: ([^\s,}]+)(?:.*operations: \[([^\]]*)\])?/g)].map(
    ([, of, operations = usual ?? '']) => `${of} ${operations.match(/[A-Z]+/g)}`,
  )
  const { validated = [], completed = [] } = places.find((one) => one.of === whose) ?? {}
  const isPods = /resources: \[pods\]\n\s+operations: \[CREATE\]/.test(text)
  const pods = isPods ? [registered(rowOf('Pod'), ['CREATE'])] : []
  expect([...shown, ...pods].toSorted()).toEqual([...validated, ...completed].toSorted())
})
