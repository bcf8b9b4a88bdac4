// Proves whose sessions are reported where FRR has them.
import { setImmediate } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { node, peer, worldOf } from '../../../../test/build/announcing.ts'
import { newClock } from '../../../../test/build/manualClock.ts'
import { frrRouters } from '../../../core/policy/frr/frrRouters.ts'
import { metricsText } from '../../../edge/kube/serve/metricsText.ts'
import { ProtocolLife } from '../protocolLife.ts'
import { frrProtocol } from './frrProtocol.ts'

/** Too long for a label: about this node nothing is written to the API. */
const name = 'n'.repeat(64)
const unasked = (): never => {
  throw new Error('not used in this test')
}

test('[R8.10] while MetalLB announces from the node, its sessions are not told as ours', async () => {
  const world = worldOf(node(name), peer('tor'))
  const clock = newClock()
  const state = { hasApi: true, isSilent: false, hasRunBefore: false, nodeUid: '' }
  const up = { vrf: '', where: '192.0.2.1', state: 'Established', bfd: 'N/A' }
  const life = new ProtocolLife(
    frrProtocol({
      debounceMs: 1_000,
      drainMs: 0,
      output: () => ({
        fit: frrRouters,
        write: async () => '',
        hasTaken: async () => true,
        said: async () => ({ neighbours: [up], bfd: [] }),
      }),
    }),
    {
      api: { call: unasked, stream: unasked, close: unasked },
      ...{ world, node: name, pod: undefined, clock, random: () => 0, timestamp: () => '' },
      state: Object.assign(state, { speakers: undefined }),
      isReady: () => true,
      soon: (act) => act(),
      log: ({ message }) => {
        throw new Error(String(message))
      },
    },
  )
  onTestFinished(async () => {
    const stopped = life.protocol.stop()
    clock.advance(10_000)
    await stopped
  })
  const upAfterAsking = async () => {
    clock.advance(5_000)
    await setImmediate()
    return metricsText(life.protocol.report.metrics()).match(/^metallb_bgp_session_up\{.*/m)?.[0]
  }
  life.begin()
  life.pump()
  expect(await upAfterAsking()).toBe('metallb_bgp_session_up{peer="192.0.2.1:179",vrf=""} 1')
  state.isSilent = true
  expect(await upAfterAsking()).toBeUndefined()
})
