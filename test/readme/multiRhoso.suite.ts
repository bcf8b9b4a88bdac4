// Do two OpenStacks on one cluster do what their README says, word for word? On `berth up`.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { until } from '../kube/waits.ts'
import { type Machine, newMachine } from './machine.ts'
import { addressesIn, clouds, cloudsReadme } from './twoClouds.ts'

const readme = readFileSync(cloudsReadme, 'utf8')
const blocks = [...readme.matchAll(/^```sh\n(.*?)^```/gms)].map(([, lines = '']) => lines)
const here = (lines: string): string =>
  lines.replaceAll('berth up --background', 'berth up --background --port 0')
const kubeconfig = 'export KUBECONFIG=~/.local/share/berth/kubeconfig'

describe.skipIf(inject('kubectl') === '')('two OpenStacks on one cluster', () => {
  let machine: Machine
  const run = (lines: string) => machine.shell(`set -e\n${kubeconfig}\n${here(lines)}`)
  beforeAll(() => {
    machine = newMachine()
  })
  afterAll(() => machine?.remove())

  const addresses = (namespace: string) => addressesIn(namespace, (line) => run(line).text)

  test('every block runs, and each cloud has its own range', async () => {
    expect(blocks.length).toBe(5)
    for (const lines of blocks) {
      if (lines.includes('berth down')) {
        await until('the second cloud is served', () =>
          addresses('openstack2') === clouds.openstack2 ? true : undefined,
        )
        expect(addresses('openstack')).toBe(clouds.openstack)
      }
      const { exit, text } = run(lines)
      expect(exit, `${lines}\n${text}`).toBe(0)
    }
  })
})
