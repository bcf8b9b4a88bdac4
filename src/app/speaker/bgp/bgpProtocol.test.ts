import { type AddressInfo, createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { newClock } from '../../../../test/build/manualClock.ts'
import { World } from '../../../core/model/world.ts'
import { newApi } from '../../../edge/kube/api/client.ts'
import { writtenCredentials } from '../../../edge/kube/api/credentials.ts'
import { decode } from '../../../edge/kube/decode/decode.ts'
import { bgpProtocol } from './bgpProtocol.ts'

const namespace = 'metallb-system'
// No reports are written of a node with so long a name.
const node = 'n'.repeat(64)
const nodeObject = (labels: object) => ({
  ...{ apiVersion: 'v1', kind: 'Node', metadata: { name: node, labels } },
})
const peerObject = (name: string, annotations: object, spec: object) => ({
  ...{ apiVersion: 'metallb.io/v1beta2', kind: 'BGPPeer' },
  metadata: { name, namespace, annotations: { 'berth.dev/passive': 'true', ...annotations } },
  spec: { myASN: 64512, peerASN: 64513, ...spec },
})

/** It takes connections, and answers nothing. */
async function silentApi() {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const api = newApi({
    ...{ server: new URL(`http://127.0.0.1:${port}`), proxy: undefined, headers: {} },
    trust: { ca: undefined, isChecked: true, serverName: undefined },
    ...{ credentials: writtenCredentials({ token: { text: 'token' } }), namespace: 'default' },
  })
  onTestFinished(() => {
    api.close()
    server.close()
  })
  return api
}

test('[R8.17] what a peer is on this node is looked up while the API does not answer', async () => {
  const world = new World({ ownNamespace: namespace, loadBalancerClass: '' })
  const put = (json: unknown) => {
    const read = decode(json)
    if (read.kind !== 'view') throw new Error('it is a view')
    world.apply({ type: 'upsert', view: read.view })
  }
  put(nodeObject({}))
  const secret = { peerAddress: '192.0.2.1', passwordSecret: { name: 'router' } }
  put(peerObject('signed', {}, secret))
  put(peerObject('rack', { 'berth.dev/peer-address-from': 'label:tor' }, {}))
  const clock = newClock()
  const protocol = bgpProtocol({ style: 'frr', listenPort: 0, drainMs: 0 }).start({
    ...{ api: await silentApi(), world, node, pod: undefined, clock, random: () => 1 },
    ...{ timestamp: () => '', log: () => undefined, wanted: new Map() },
    state: {
      ...{ hasApi: false, isSilent: false, hasRunBefore: false, nodeUid: '', speakers: undefined },
    },
    queue: {
      ...{ isQuiet: true, urge: () => undefined },
      ...{ wakeAll: () => undefined, pump: () => undefined },
    },
  })
  onTestFinished(() => protocol.stop())
  const peers = () => {
    const up = protocol.report.metrics().find(({ name }) => name === 'metallb_bgp_session_up')
    return up?.samples.map(({ labels }) => labels?.['peer'])
  }
  protocol.settled()
  expect(peers()).toEqual(['192.0.2.1:179'])
  clock.advance(5_000)
  await new Promise(setImmediate)
  put(nodeObject({ tor: '192.0.2.2' }))
  clock.advance(5_000)
  await new Promise(setImmediate)
  expect(peers()).toEqual(['192.0.2.2:179', '192.0.2.1:179'])
})
