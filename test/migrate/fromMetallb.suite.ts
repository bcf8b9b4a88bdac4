// Does the first hour of an administrator who comes from MetalLB go as shown on the real Kubernetes,
// with what the chart installs? test/readme follows it on `berth up`.
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { definitionsEstablished } from '../kube/helm/programs.ts'
import { firstHour } from '../readme/firstHour.ts'
import { type Rig, startRig } from './rig.ts'

describe.skipIf(inject('engine') === '')('from MetalLB', () => {
  let rig: Rig

  beforeAll(async () => {
    rig = await startRig({
      engine: inject('engine'),
      kubectl: inject('kubectlPath'),
      helm: inject('helmPath'),
      nodes: 1,
    })
    const { exit, out, err } = rig.shell(
      'helm install berth deploy/helm/berth -n metallb-system --create-namespace',
    )
    expect(exit, out + err).toBe(0)
    await definitionsEstablished((...args) => rig.kubectl(args))
    const deployment = ['rollout', 'status', 'deployment/berth-controller']
    rig.kubectl(['-n', 'metallb-system', ...deployment])
  })
  afterAll(() => rig?.stop())

  test('every line prints what is shown', async () => {
    const shell = (commands: string) => rig.shell(`export HOME='${rig.folder}'\n${commands}`).out
    // Of a subnet that the nodes are in.
    await firstHour(shell, '10.10.2.')
  })
})
