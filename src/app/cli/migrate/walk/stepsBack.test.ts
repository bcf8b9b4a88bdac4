// Proves what a user is told before MetalLB moves addresses on its start, and that nothing is written
// until the user accepts it.
import { expect, test } from 'vitest'
import { served, servedObjects } from '../../../../../test/build/servedObjects.ts'
import { nowhere } from '../../../../../test/build/terminal.ts'
import { runSteps, showSteps } from './walkSteps.ts'

const namespace = 'metallb-system'
const container = (component: string) => ({
  metadata: { name: component, namespace, labels: { app: 'metallb', component } },
  spec: { template: { spec: { containers: [{ name: component }] } } },
})
const dual = (name: string, ...ips: readonly string[]) =>
  served(
    'Service',
    {
      ...{ name, namespace: 'shop', uid: name },
      annotations: { 'metallb.io/ip-allocated-from-pool': 'both' },
    },
    {
      spec: {
        ...{ type: 'LoadBalancer', ports: [{ port: 80 }], ipFamilyPolicy: 'PreferDualStack' },
        ...{ clusterIPs: ['10.96.0.7', 'fd96::7'], ipFamilies: ['IPv4', 'IPv6'] },
      },
      status: { loadBalancer: { ingress: ips.map((ip) => ({ ip })) } },
    },
  )

/** On the way back, at its controller; the pool has as many IPv6 addresses as its range. */
async function backWith(six: string, acceptsMoves: boolean) {
  const { metadata, spec } = container('controller')
  const speaker = container('speaker')
  const { api, writes } = await servedObjects([
    served('Deployment', metadata, { spec: { ...spec, replicas: 0 } }),
    served('DaemonSet', speaker.metadata, { spec: speaker.spec }),
    served('Deployment', { name: 'berth-controller', namespace }, { spec: { replicas: 1 } }),
    served(
      'IPAddressPool',
      { name: 'both', namespace },
      { spec: { addresses: ['10.0.0.0/28', six] } },
    ),
    served('ConfigMap', { name: 'berth-migration', namespace }, { data: {} }),
    dual('a', '10.0.0.1', 'fd01::1'),
    dual('b', '10.0.0.2'),
  ])
  const said = { out: '', err: '' }
  const io = {
    ...nowhere,
    out(text: string) {
      said.out += text
    },
    err(text: string) {
      said.err += text
    },
  }
  const walk = {
    ...{ api, direct: api, io, namespace, withinMs: 0, settleMs: 0, asksWire: false },
    ...{ acceptsDownPeers: false, programs: { kubectl: 'kubectl', helm: 'helm' } },
  }
  const options = { direction: 'back', acceptsMoves, format: '' } as const
  return {
    said,
    show: () => showSteps(walk, { ...options, isLong: true }),
    run: () => runSteps(walk, options, { all: true, name: '' }),
    /** Of the controllers, and not the notes of the walk. */
    scaled: () => writes().filter((text) => text.endsWith('controller')),
  }
}
const oneLine = (text: string) => text.replace(/\s+/g, ' ')
const move =
  'on its start, MetalLB looks for IPv6 addresses in pool both for 1 Service with PreferDualStack ' +
  '(shop/b); 0 addresses free, so it may take those of others'

test('[R14.1] what MetalLB would move is listed before, and nothing is written', async () => {
  const { said, show, scaled } = await backWith('fd01::1/128', false)
  expect(await show()).toBe(2)
  expect(oneLine(said.out)).toContain(move)
  expect(scaled()).toEqual([])
})

test('[R14.1] the way back stops before it starts a MetalLB that would move addresses', async () => {
  const { said, run, scaled } = await backWith('fd01::1/128', false)
  expect(await run()).toBe(1)
  expect(oneLine(said.err)).toContain(`berth: controller stopped: ${move}`)
  expect(said.err).toContain('--accept-moves')
  expect(scaled()).toEqual([])
})

test.each([
  { what: 'the user accepts it', six: 'fd01::1/128', acceptsMoves: true },
  { what: 'enough addresses are free', six: 'fd01::/127', acceptsMoves: false },
])('[R14.1] it starts MetalLB if $what', async ({ six, acceptsMoves }) => {
  const { said, run, scaled } = await backWith(six, acceptsMoves)
  // On a server that forgets what is written it is never ready.
  expect(await run()).toBe(1)
  expect(said.err).toContain("MetalLB's controller metallb-system/controller is not ready")
  expect(scaled()).toEqual(['PUT controller'])
})
