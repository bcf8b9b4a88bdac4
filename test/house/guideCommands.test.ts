// Which suite runs each command that a page shows? A command that nobody runs fails here, or is listed
// with the reason.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** The suite, or the part of it that reads the page; and which of its commands, or all. */
type Runs = readonly [by: string, what: RegExp]
const all = /^/

const runs: Readonly<Record<string, readonly Runs[]>> = {
  'README.md': [
    ['test/readme/readme.suite.ts', /^make up|^export|kubectl|^\.\/berth explain address/],
    ['test/lab/guide.suite.ts', /berth lab/],
    ['test/readme/commands.suite.ts', /^\.\/berth (?:plan|explain service|lint|test|status)/],
  ],
  'docs/start.md': [['test/readme/commands.suite.ts', all]],
  'docs/guides/bgp.md': [
    ['test/bgp/guide.suite.ts', /berth lab/],
    ['test/kube/install.suite.ts', /frr-k8s/],
  ],
  'docs/guides/command-line.md': [
    ['test/readme/commands.suite.ts', /^(?!berth completion)/],
    ['test/readme/completion.suite.ts', /berth completion/],
  ],
  'docs/guides/explain.md': [['test/readme/commands.suite.ts', all]],
  'docs/guides/first-service.md': [['test/migrate/firstService.suite.ts', all]],
  'docs/guides/install.md': [
    ['test/kube/install.suite.ts', /^helm install|apply -k deploy\/kustomize$/],
    ['test/migrate/firstService.suite.ts', /berth release|get pods,lease/],
    ['test/migrate/upgrade.suite.ts', /-k deploy\/kustomize\/(?:policies|controller|speaker)$/],
  ],
  'docs/guides/layer2.md': [['test/lab/guide.suite.ts', /berth lab/]],
  'docs/guides/lint.md': [['test/readme/commands.suite.ts', all]],
  'docs/guides/migrate.md': [['test/migrate/walk.suite.ts', all]],
  'docs/guides/openstack.md': [['test/dns/guide.suite.ts', all]],
  'docs/guides/plan.md': [['test/readme/commands.suite.ts', all]],
  'docs/guides/relocatable.md': [['test/readme/relocatable.suite.ts', all]],
  'docs/guides/up.md': [
    [
      'test/readme/examples.suite.ts',
      /^(?:berth (?:up|down|backup|status|token)|kubectl|export)\b/,
    ],
    ['test/up/announce.suite.ts', /^(?:sudo|sysctl|ip |nft)/],
  ],
  'examples/from-metallb/README.md': [['test/readme/firstHour.ts', all]],
  'examples/multi-rhoso/README.md': [['test/readme/twoClouds.ts', all]],
}

/** What no suite can run, and why. */
const notRun: Readonly<Record<string, readonly (readonly [RegExp, string])[]>> = {
  'README.md': [[/^make test$/, 'it is what runs the suites']],
  'docs/decisions/image.md': [[/^skopeo inspect/, 'it asks a registry']],
  'docs/guides/install.md': [
    [/^buildah/, 'it takes a registry; test/release runs the images that deploy/release makes'],
    [/logs deployment/, 'the small kubelet of the suites serves no logs'],
  ],
}

const under = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file))
const pages = [...readdirSync('.'), ...under('docs'), ...under('examples'), ...under('deploy')]
  .filter((file) => file.endsWith('.md'))
  .map((page) => ({ page, commands: commandsOf(readFileSync(page, 'utf8')) }))
  .filter(({ commands }) => commands.length > 0)

/** One line each, also where it is continued on the next. */
function commandsOf(text: string): readonly string[] {
  const blocks = [...text.matchAll(/^```(?:sh|bash|shell)\n(.*?)^```/gms)]
  const lines = blocks.flatMap(([, block = '']) => block.replace(/\\\n\s*/g, '').split('\n'))
  const typed = [...text.matchAll(/^\$ (.*)$/gm)].map(([, line = '']) => line)
  return [...lines, ...typed]
    .map((line) => line.replace(/\s+#.*/, ''))
    .filter((line) => line !== '')
}

test.each(pages)('every command of $page is run, or not with a reason', ({ page, commands }) => {
  const known = [...(runs[page] ?? []).map(([, what]) => what), ...reasonsFor(page)]
  expect(commands.filter((line) => !known.some((what) => what.test(line)))).toEqual([])
  const isThere = (what: RegExp) => commands.some((line) => what.test(line))
  expect(known.filter((what) => !isThere(what))).toEqual([])
})

const reasonsFor = (page: string): RegExp[] => (notRun[page] ?? []).map(([what]) => what)

test('what is listed is there: pages with commands, and suites that read them', () => {
  const listed = [...Object.keys(runs), ...Object.keys(notRun)]
  const named = pages.map(({ page }) => page)
  expect(listed.filter((page) => !named.includes(page))).toEqual([])
  const mute = Object.entries(runs).flatMap(([page, rows]) =>
    rows.filter(([by]) => !(existsSync(by) && reads(by, page))).map(([by]) => `${by}: ${page}`),
  )
  expect(mute).toEqual([])
})

/** By its path, or as one of the guides by name. */
function reads(by: string, page: string): boolean {
  const text = readFileSync(by, 'utf8')
  const [, name = ''] = /^docs\/guides\/(.*)\.md$/.exec(page) ?? []
  return text.includes(page) || (name !== '' && text.includes(`'${name}'`))
}
