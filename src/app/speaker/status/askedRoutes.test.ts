import { expect, onTestFinished, test } from 'vitest'
import { clientTo } from '../../../../test/build/apiClient.ts'
import { ApiStand } from '../../../../test/build/apiStand.ts'
import { newClock } from '../../../../test/build/manualClock.ts'
import { shipped } from '../../../../test/build/writesStand.ts'
import type { Ip } from '../../../core/net/ip.ts'
import { prefixText } from '../../../core/net/range.ts'
import { AskedRoutes } from './askedRoutes.ts'

const sites = '/apis/berth.dev/v1alpha1/sites'
const site = (routes: readonly object[]) => ({
  apiVersion: 'berth.dev/v1alpha1',
  kind: 'Site',
  metadata: { name: 'cluster' },
  spec: {
    internalNetwork: '10.0.0.0/24',
    external: {
      ...{ apiVIP: '203.0.113.10', ingressVIP: '203.0.113.11' },
      ...{ prefixLength: 24, gateway: '203.0.113.1', routes },
    },
  },
})

test('[R6.14] the kernel is asked for what the Site lists, and for nothing without one', async () => {
  const stand = await ApiStand.start({ isWhole: true })
  onTestFinished(() => stand.stop())
  const made = async (path: string, body: unknown) =>
    expect((await stand.ask(path, { method: 'POST', body })).code).toBe(201)
  const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
  for (const json of shipped('crds')) await made(definitions, json)
  const clock = newClock()
  const asked: string[] = []
  const routes = new AskedRoutes({
    ...{ api: clientTo(stand.api.port), clock, random: () => 0.5, log: () => undefined },
    ownNamespace: 'metallb-system',
    read: (destinations) => {
      asked.push(destinations.map(prefixText).join())
      return destinations.map((one) => ({
        ...{ destination: prefixText(one), via: '203.0.113.1' as Ip, interface: 'eth1' },
      }))
    },
  })
  expect(routes.now()).toBeUndefined()
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  void routes.run(stop.signal)
  await expect.poll(() => routes.now()).toBe('none asked')
  await made(sites, site([{ destination: '192.0.2.0/24' }]))
  const found = [{ destination: '192.0.2.0/24', via: '203.0.113.1', interface: 'eth1' }]
  await expect.poll(() => routes.now()).toEqual(found)
  expect(asked).toEqual(['192.0.2.0/24'])
  clock.advance(10_000)
  expect(routes.now()).toEqual(found)
  expect(asked).toHaveLength(2)
  await stand.ask(`${sites}/cluster`, { method: 'DELETE' })
  await expect.poll(() => routes.now()).toBe('none asked')
})
