// Does the guide to OpenStack do what it says, word for word? Each block in its order, on `berth up`
// with a real dnsmasq and dig.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { consoleIn } from '../build/console.ts'
import { until } from '../kube/waits.ts'
import { findKubectl } from '../kubectl/kubectl.ts'
import { type Machine, newMachine } from '../readme/machine.ts'

const found = findKubectl()
const kubectl = 'path' in found ? found.path : ''
const blocks = [
  ...readFileSync('docs/guides/openstack.md', 'utf8').matchAll(/^```(\w+)\n(.*?)^```/gms),
].map(([whole, language = '', text = '']) => ({ whole, language, text }))
/** For `convert`: a control plane as it was written before 2024. */
const controlPlane = `apiVersion: core.openstack.org/v1beta1
kind: OpenStackControlPlane
metadata: { name: openstack, namespace: openstack }
spec:
  rabbitmq:
    templates:
      rabbitmq:
        externalEndpoint: { ipAddressPool: internalapi, loadBalancerIPs: [172.17.0.85] }
`

let machine: Machine
beforeAll(() => {
  machine = newMachine(kubectl)
})
afterAll(() => machine?.remove())

/** The ports of the API and of the first DNS server may be taken here. */
const here = (text: string, port: string): string =>
  text.replaceAll('up --background', 'up --background --port 0').replaceAll('5300', port)

test.skipIf(!inject('hasDns') || kubectl === '')('each block does what it shows', async () => {
  const work = machine.shell('mkdir -p ~/work && cd ~/work && pwd').text.trim()
  writeFileSync(join(work, 'controlplane.yaml'), controlPlane)
  let [before, port] = ['cd ~/work', '5300']
  const run = (lines: string) => machine.shell(`${before}\n${here(lines, port)}`)
  for (const { whole, language, text } of blocks) {
    const [, file] = /^# (\S+\.yaml)$/m.exec(text) ?? []
    if (language === 'yaml') {
      expect(file, `the first line of\n${text}`).toBeDefined()
      writeFileSync(join(work, file ?? ''), text)
    }
    if (language === 'sh') {
      const { exit, text: said } = run(`set -e\n${text}`)
      expect(exit, `${text}\n${said}`).toBe(0)
      before += text.includes('export ') ? `\n${(/^export .*$/m.exec(text) ?? [''])[0]}` : ''
    }
    for (const { command, output } of consoleIn(`${whole}\n`)) {
      const asks = command.includes('dnsAddresses')
      let said = ''
      await until(command, () => {
        said = run(command).text
        if (asks) port = /:(\d+)\n$/.exec(said)?.[1] ?? port
        return alike(said) === alike(here(output, port)) ? true : undefined
      }).catch(() => undefined)
      expect(`$ ${command}\n${alike(said)}`).toBe(`$ ${command}\n${alike(here(output, port))}`)
    }
  }
})

/** Columns are as wide as what stands in them. */
const alike = (text: string): string => text.replace(/ +/g, ' ')
