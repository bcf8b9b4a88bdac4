import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import type { LintFinding } from '../../../core/policy/lint/lintFinding.ts'
import { sarif } from './sarif.ts'

const finding = (given: Partial<LintFinding>): LintFinding => ({
  code: 'pool-full',
  severity: 'warning',
  object: 'Service/shop/web',
  file: 'web.yaml',
  line: 3,
  field: '',
  message: 'no address is free',
  remedy: 'add addresses',
  ...given,
})
type Run = {
  tool: { driver: { rules: { id: string }[] } }
  results: { ruleIndex: number; ruleId: string; locations: object[]; relatedLocations?: object[] }[]
}
const runOf = (...conflicts: Parameters<typeof sarif>[0]): Run =>
  (sarif(conflicts) as { runs: [Run] }).runs[0]

test('the whole of a small log', () => {
  const given = finding({ field: 'spec.ports', fix: 'kubectl get pods' })
  expect(sarif([[given]])).toEqual({
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'berth',
            rules: [
              {
                id: 'pool-full',
                shortDescription: { text: 'pool full' },
                help: { text: 'add addresses' },
              },
            ],
          },
        },
        columnKind: 'utf16CodeUnits',
        results: [
          {
            ruleId: 'pool-full',
            ruleIndex: 0,
            level: 'warning',
            message: { text: 'Service/shop/web: no address is free\nFix: kubectl get pods' },
            locations: [
              {
                physicalLocation: {
                  artifactLocation: { uri: 'web.yaml' },
                  region: { startLine: 3 },
                },
                logicalLocations: [{ fullyQualifiedName: 'Service/shop/web spec.ports' }],
              },
            ],
          },
        ],
      },
    ],
  })
})

test('nothing found is a run without results', () => {
  expect(runOf()).toMatchObject({ tool: { driver: { rules: [] } }, results: [] })
})

test('one rule a code, in order; both sides of a conflict point at each other', () => {
  const one = finding({ code: 'overlap-vip-node', object: 'Node/metal-1', file: 'nodes.yaml' })
  const other = finding({ code: 'overlap-vip-node', object: 'IPAddressPool/x/lan' })
  const { tool, results } = runOf([finding({})], [one, other], [finding({ line: 9 })])
  expect(tool.driver.rules.map(({ id }) => id)).toEqual(['overlap-vip-node', 'pool-full'])
  expect(results.map(({ ruleIndex }) => ruleIndex)).toEqual([1, 0, 0, 1])
  expect(results[1]?.relatedLocations).toMatchObject([
    { id: 1, message: { text: 'IPAddressPool/x/lan' }, physicalLocation: {} },
  ])
  expect(results[2]?.relatedLocations).toMatchObject([
    { physicalLocation: { artifactLocation: { uri: 'nodes.yaml' } } },
  ])
})

const outside = resolve('..', 'elsewhere', 'a.yaml')
test.each([
  { file: './deploy/a b.yaml', uri: 'deploy/a%20b.yaml' },
  { file: resolve('deploy', 'a.yaml'), uri: 'deploy/a.yaml' },
  { file: '../elsewhere/a.yaml', uri: pathToFileURL(outside).href },
  { file: '..a.yaml', uri: '..a.yaml' },
  { file: '.', uri: '.' },
  { file: '-', uri: 'stdin' },
])('$file is at $uri', ({ file, uri }) => {
  expect(runOf([finding({ file })]).results[0]?.locations).toMatchObject([
    { physicalLocation: { artifactLocation: { uri } } },
  ])
})

test('what stands in no file has no place in one', () => {
  const { results } = runOf([finding({ file: '', line: 0 })])
  expect(results[0]?.locations).toEqual([
    { logicalLocations: [{ fullyQualifiedName: 'Service/shop/web' }] },
  ])
})
