// Does lint find the seven conflicts of examples/seed-conflicts, with both sides of each, and do the
// documents show what it really prints?

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { lintVerb } from '../../src/app/cli/lint/lintVerb.ts'
import type { LintFinding } from '../../src/core/policy/lint/lintFinding.ts'
import { nowhere } from '../build/terminal.ts'

const folder = 'examples/seed-conflicts'

async function printed(output: string): Promise<string> {
  const texts: string[] = []
  const io = {
    ...nowhere,
    stdin: new Blob([]).stream(),
    out: (text: string) => texts.push(text),
    err: (text: string) => texts.push(text),
    isTerminal: false,
  }
  const exit = await lintVerb.run({ positionals: [], values: { file: [folder], output } }, io)
  expect(exit).toBe(2)
  return texts.join('')
}

const { findings } = JSON.parse(await printed('json')) as { findings: LintFinding[] }
const text = await printed('text')
const readme = readFileSync(`${folder}/README.md`, 'utf8')

const pool = (name: string) => `IPAddressPool/metallb-system/${name}`
const attachment = (name: string) => `NetworkAttachmentDefinition/openstack/${name}`
const netConfig = { object: 'NetConfig/openstack/netconfig', at: 'netconfig.yaml' }

type Case = {
  seed: string
  code: string
  says: string
  sides: { object: string; at: string }[]
}
const cases: Case[] = [
  {
    seed: 'S1',
    code: 'overlap-vip-node',
    says: '192.168.122.100-192.168.122.110 (nodes of CtlPlane)',
    sides: [{ object: pool('openstack2-ctlplane'), at: 'pools-by-instance.yaml' }, netConfig],
  },
  {
    seed: 'S2',
    code: 'overlap-node-attachment',
    says: '172.17.0.30-172.17.0.70 (nodes of InternalApi)',
    sides: [{ object: attachment('internalapi'), at: 'instance-1-networks.yaml' }, netConfig],
  },
  {
    seed: 'S2',
    code: 'overlap-vip-node',
    says: '172.17.0.80-172.17.0.90 (nodes of InternalApi)',
    sides: [{ object: pool('internalapi'), at: 'pools-of-one-name.yaml' }, netConfig],
  },
  {
    seed: 'S3',
    code: 'one-subnet-two-vlans',
    says: '172.18.0.0/24 (VLAN 30, VLAN 21)',
    sides: [{ object: attachment('storage'), at: 'instance-1-networks.yaml' }, netConfig],
  },
  {
    seed: 'S4',
    code: 'one-subnet-two-vlans',
    says: '172.19.0.0/24 (VLAN 40, VLAN 22)',
    sides: [{ object: attachment('tenant'), at: 'instance-1-networks.yaml' }, netConfig],
  },
  {
    seed: 'S5',
    code: 'duplicate-object',
    says: 'pools-of-one-name.yaml:31 replaces the one in',
    sides: [
      { object: pool('internalapi'), at: 'pools-of-one-name.yaml:8' },
      { object: pool('internalapi'), at: 'pools-of-one-name.yaml:31' },
    ],
  },
  {
    seed: 'S6',
    code: 'range-not-bound',
    says: 'openstack, openstack2 is served from 172.18.0.80-172.18.0.90, 172.29.0.80-172.29.0.90',
    sides: [{ object: pool('storage'), at: 'pool-of-two-ranges.yaml' }],
  },
  {
    seed: 'S7',
    code: 'unknown-field',
    says: 'spec.protocol',
    sides: [{ object: pool('metallb-api-vip'), at: 'relocatable.yaml:14' }],
  },
  {
    seed: 'S7',
    code: 'deprecated',
    says: 'metallb.universe.tf/address-pool is deprecated: use metallb.io/address-pool',
    sides: [{ object: 'Service/openshift-kube-apiserver/metallb-api', at: 'relocatable.yaml:23' }],
  },
]

test.each(cases)('[$seed] $code: $says', ({ code, says, sides }) => {
  for (const { object, at } of sides) {
    const [found, ...more] = findings.filter(
      (one) =>
        one.code === code &&
        one.object === object &&
        one.message.includes(says) &&
        `${one.file}:${one.line}`.startsWith(`${folder}/${at}`),
    )
    expect(more).toEqual([])
    expect(found?.remedy).toBeTruthy()
    const others = sides.filter((side) => side.object !== object)
    for (const other of others) expect(found?.message).toContain(other.object)
  }
})

test.each(cases)('[$seed] in text one entry of $code names both places', ({ code, sides }) => {
  const isAbout = new RegExp(`^ *(?:error|warning) ${code}\\b`, 'm')
  const entries = text.split('\n\n').filter((entry) => isAbout.test(entry))
  // Where an object has several findings, its file is told once, and then the lines.
  const isPlaced = (entry: string, [file = '', line = '']: readonly string[]) =>
    entry.includes(`${folder}/${file}`) &&
    (entry.includes(`:${line}`) || entry.includes(`line ${line}`))
  const isWhole = (entry: string) =>
    sides.every(({ object, at }) => entry.includes(object) && isPlaced(entry, at.split(':')))
  expect(entries.filter(isWhole)).toHaveLength(1)
})

test.each(cases)('[$seed] the README says so: $code', ({ seed, code, sides }) => {
  const rows = readme.split('\n').filter((line) => line.startsWith(`| ${seed} | \`${code}\``))
  const isWhole = (row: string) => sides.every(({ object }) => row.includes(object))
  expect(rows.filter(isWhole)).toHaveLength(1)
})

test('[S7] every annotation of the old prefix is found', () => {
  const count = (file: string) =>
    readFileSync(`${folder}/${file}`, 'utf8').match(/^ +metallb\.universe\.tf\//gm)?.length ?? 0
  const deprecated = findings.filter(({ code }) => code === 'deprecated')
  expect(deprecated).toHaveLength(count('services.yaml') + count('relocatable.yaml'))
})

test('no line is longer than 100 columns', () => {
  expect(text.split('\n').filter((line) => line.length > 100)).toEqual([])
})

test('docs/guides/lint.md shows what is really printed', () => {
  const guide = readFileSync('docs/guides/lint.md', 'utf8')
  const [, shown = ''] = /^```text\n(.+?)^```/ms.exec(guide) ?? []
  const entries = shown.trimEnd().split('\n\n')
  expect(entries.length).toBeGreaterThan(2)
  for (const entry of entries) expect(text).toContain(entry)
})
