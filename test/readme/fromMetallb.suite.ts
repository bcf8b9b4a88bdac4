// Does the first hour of an administrator who comes from MetalLB go as shown? On `berth up`;
// test/migrate follows it on the real Kubernetes.
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { firstHour } from './firstHour.ts'
import { type Machine, newMachine } from './machine.ts'

describe.skipIf(inject('kubectl') === '')('from MetalLB', () => {
  let machine: Machine
  beforeAll(() => {
    machine = newMachine()
    expect(machine.shell('berth up --background --port 0').exit).toBe(0)
  })
  afterAll(() => machine?.remove())

  test('every line prints what is shown', { timeout: 300_000 }, async () => {
    const kubeconfig = 'export KUBECONFIG=~/.local/share/berth/kubeconfig'
    await firstHour((commands) => machine.shell(`${kubeconfig}\n${commands}`).text)
  })
})
