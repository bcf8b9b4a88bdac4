// Which options of Node do the manifests set? The sizes of its heap and nothing else: other options
// of V8 are not documented, and change with it. One that Node does not know keeps it from starting.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const manifests = [
  ['deploy/kustomize/speaker/daemonset.yaml', 'deploy/helm/berth/templates/speaker.yaml'],
  ['deploy/kustomize/controller/deployment.yaml', 'deploy/helm/berth/templates/deployment.yaml'],
] as const

const options = /NODE_OPTIONS\n\s*value: (.*)/
const chartOptions = readFileSync('deploy/helm/berth/values.yaml', 'utf8')

test.each(manifests)('%s and the chart size the heap alike, and Node knows how', (ours, chart) => {
  const text = readFileSync(ours, 'utf8')
  for (const one of [text, readFileSync(chart, 'utf8')]) {
    expect(one).toMatch(/command: \[node, dist\/main\.js, \w+\]/)
  }
  const [, given = ''] = options.exec(text) ?? []
  expect(given).toMatch(/^--max-old-space-size=\d+ --max-semi-space-size=\d+$/)
  expect(chartOptions).toContain(`nodeOptions: ${given}\n`)
  const { status, stderr } = spawnSync(process.execPath, [...given.split(' '), '--eval', ''])
  expect([status, String(stderr)]).toEqual([0, ''])
})
