// Does the guide to relocatable clusters do what it says, word for word? On `berth up`.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { until } from '../kube/waits.ts'
import { type Machine, newMachine } from './machine.ts'

const guide = readFileSync('docs/guides/relocatable.md', 'utf8')
const blocks = [...guide.matchAll(/^```sh\n(.*?)^```/gms)].map(([, lines = '']) => lines)

/** Ports may be taken here, and no wire of this machine is an external network (test/lab has one). */
const here = (lines: string): string =>
  lines
    .replaceAll('berth up --background', 'berth up --background --port 0')
    .replaceAll('sudo berth site apply', 'berth site apply --no-probe')

const kubeconfig = 'export KUBECONFIG=~/.local/share/berth/kubeconfig'

describe.skipIf(inject('kubectl') === '')('the guide to relocatable clusters', () => {
  let machine: Machine
  const run = (lines: string) => machine.shell(`set -e\n${kubeconfig}\n${here(lines)}`)
  const api = () =>
    run(
      'kubectl get service -n openshift-kube-apiserver metallb-api --ignore-not-found ' +
        "-o jsonpath='{.status.loadBalancer.ingress[0].ip}'",
    ).text.trim()
  const becomes = (address: string) =>
    until(`the API is at ${address || 'no address'}`, () => (api() === address ? true : undefined))

  beforeAll(() => {
    machine = newMachine()
  })
  afterAll(() => machine?.remove())

  /** By a line of the block: where the API has to be afterwards. */
  const afterwards: readonly (readonly [string, string])[] = [
    ['site-here.yaml --within', '203.0.113.10'],
    ['site commit', '203.0.113.10'],
    ['site rollback', '203.0.113.10'],
    ['kubectl patch', '203.0.113.12'],
  ]

  test('every block runs, and the addresses are where it says', async () => {
    expect(blocks.length).toBeGreaterThan(7)
    for (const lines of blocks) {
      const { exit, text } = run(lines)
      expect(exit, `${lines}\n${text}`).toBe(0)
      const [, address] = afterwards.find(([line]) => lines.includes(line)) ?? []
      if (address !== undefined) await becomes(address)
    }
  })
})
