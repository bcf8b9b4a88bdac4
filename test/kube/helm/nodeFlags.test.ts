// Does our Node know the options that the manifests start it with? One that it does not know keeps
// it from starting at all.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const manifests = [
  ['deploy/kustomize/speaker/daemonset.yaml', 'deploy/helm/berth/templates/speaker.yaml'],
  ['deploy/kustomize/controller/deployment.yaml', 'deploy/helm/berth/templates/deployment.yaml'],
] as const

const optionsIn = (file: string): string[] => {
  const [, words = ''] = /command:\s*\[node, ([^\]]*)dist/.exec(readFileSync(file, 'utf8')) ?? []
  return words.split(/,\s*/).filter((word) => word !== '')
}

test.each(manifests)('%s and the chart start Node alike, and it knows how', (ours, chart) => {
  const options = optionsIn(ours)
  expect(options.length).toBeGreaterThan(0)
  expect(optionsIn(chart)).toEqual(options)
  const { status, stderr } = spawnSync(process.execPath, [...options, '--eval', ''])
  expect([status, String(stderr)]).toEqual([0, ''])
})
