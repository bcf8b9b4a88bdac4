// Can a BGPPeer be read in the version in which it is not stored? Reads it as v1beta1 ten times a
// second until told to stop. A get, since lists come from what was converted before.
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { newApi } from '../../src/edge/kube/api/client.ts'
import { readConnection } from '../../src/edge/kube/api/connection.ts'
import { yamlOrFault } from '../../src/edge/manifests/parseYaml.ts'

const { KUBECONFIG = '' } = process.env
const [name = ''] = process.argv.slice(2)
const path = `/apis/metallb.io/v1beta1/namespaces/metallb-system/bgppeers/${name}`
const given = { kubeconfig: KUBECONFIG, env: {}, home: '/', parseYaml: yamlOrFault }
const api = newApi(await readConnection(given))
let [reads, failures, why, since, gapMs, isStopped] = [0, 0, '', 0, 0, false]
process.on('SIGTERM', () => {
  isStopped = true
})
while (!isStopped) {
  const startedMs = performance.now()
  try {
    await api.call({ method: 'GET', path })
    since = 0
  } catch (error) {
    failures++
    why ||= `${new Date().toISOString()} ${String(error)}`
    since ||= startedMs
  }
  reads++
  if (since > 0) gapMs = Math.max(gapMs, performance.now() - since)
  await sleep(100)
}
process.stdout.write(`${JSON.stringify({ reads, failures, gapMs: Math.round(gapMs), why })}\n`)
process.exit(0)
