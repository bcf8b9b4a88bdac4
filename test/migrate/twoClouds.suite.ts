// Does the walk of an operator of two OpenStacks hold on the real Kubernetes, with what the chart
// installs? The blocks of its README, word for word; test/readme runs them on `berth up`.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { definitionsEstablished } from '../kube/helm/programs.ts'
import { until } from '../kube/waits.ts'
import { addressesIn, clouds, cloudsReadme } from '../readme/twoClouds.ts'
import { type Rig, startRig } from './rig.ts'

const blocks = [...readFileSync(cloudsReadme, 'utf8').matchAll(/^```sh\n(.*?)^```/gms)]
  .map(([, lines = '']) => lines.replace(/^berth down$/m, ''))
  // The API is there.
  .filter((lines) => !lines.includes('berth up'))

describe.skipIf(inject('engine') === '')('two OpenStacks on one cluster', () => {
  let rig: Rig

  beforeAll(async () => {
    rig = await startRig({
      engine: inject('engine'),
      kubectl: inject('kubectlPath'),
      helm: inject('helmPath'),
      nodes: 1,
    })
    must('helm install berth deploy/helm/berth -n metallb-system --create-namespace')
    await definitionsEstablished((...args) => rig.kubectl(args))
    must('kubectl -n metallb-system rollout status deployment/berth-controller')
  })
  afterAll(() => rig?.stop())

  const must = (commands: string): string => {
    const { exit, out, err } = rig.shell(commands)
    expect(exit, `${commands}\n${out}${err}`).toBe(0)
    return out
  }
  const served = () =>
    until('both clouds are served', () => {
      const isServed = ([namespace, addresses]: readonly [string, string]) =>
        addressesIn(namespace, must) === addresses
      return Object.entries(clouds).every(isServed) || undefined
    })

  test('every block runs, and each cloud has its own range before and after a move', async () => {
    expect(blocks).toHaveLength(4)
    for (const lines of blocks) {
      if (lines.includes('renumber')) await served()
      must(lines)
    }
    await served()
  })

  test('an export of it plans no change, and explains the same', () => {
    const now = join(rig.folder, 'now')
    must(`berth export '${now}'`)
    must(`berth plan -f '${now}' --live`)
    const explained = (from: string) =>
      must(`berth explain service openstack2/keystone-internal ${from}`)
    expect(explained(`-f '${now}'`)).toBe(explained(''))
  })
})
