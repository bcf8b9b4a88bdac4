import { expect, test } from 'vitest'
import { startProbes } from '../../../edge/kube/serve/probes.ts'
import { askSpeaker } from './askSpeaker.ts'

const route = {
  ...{ prefix: '192.0.2.1/32', node: 'a', peer: 'tor', nextHop: '192.0.2.9' },
  ...{ localPref: 0, communities: ['65535:0'] },
}

test('a speaker is asked on its probe port; nobody there is said in words', async () => {
  const more = { '/told/bgp': () => ({ routes: [route, { ...route, localPref: undefined }] }) }
  const probes = await startProbes({ port: 0, host: '127.0.0.1', missing: () => [], more })
  const value = [route, { ...route, localPref: undefined }]
  expect(await askSpeaker(String(probes.port))).toEqual({ ok: true, value })
  await probes.close()
  expect(await askSpeaker(String(probes.port))).toMatchObject({
    ok: false,
    why: expect.stringContaining('no speaker answers'),
  })
})

test('another program on the port is no speaker', async () => {
  const probes = await startProbes({ port: 0, host: '127.0.0.1', missing: () => [] })
  const answer = await askSpeaker(String(probes.port))
  await probes.close()
  expect(answer).toMatchObject({ ok: false, why: expect.stringContaining('the answer is 404') })
})
