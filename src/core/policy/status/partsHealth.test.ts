import { expect, test } from 'vitest'
import { speakerPart, webhookPart } from './partsHealth.ts'

const served = { hasCertificate: true, servers: 2, isStrict: false }
test.each([
  { facts: served, state: 'well', message: 'served by 2 controllers' },
  {
    facts: { ...served, servers: 0 },
    state: 'failing',
    message: 'no controller is ready: changes are not checked until one is',
  },
  {
    facts: { ...served, servers: 0, isStrict: true },
    state: 'failing',
    message: 'no controller is ready: every change is refused until one is',
  },
  {
    facts: { ...served, hasCertificate: false },
    state: 'failing',
    message: 'no controller has written its certificate: changes are not checked until one does',
  },
  { facts: undefined, state: 'unknown', message: 'not installed: changes are not checked' },
])('webhooks: $message', ({ facts, ...wanted }) => {
  expect(webhookPart(facts)).toEqual({ part: 'webhooks', ...wanted })
})

test.each([
  { facts: { ready: 3, wanted: 3 }, nodes: 3, state: 'well', message: '3 of 3 ready' },
  { facts: { ready: 2, wanted: 3 }, nodes: 3, state: 'failing', message: '2 of 3 ready' },
  { facts: undefined, nodes: 2, state: 'unknown', message: 'on 2 nodes' },
  {
    facts: undefined,
    nodes: 0,
    state: 'unknown',
    message: 'no speaker of Berth has reported (there are no NodeInterfaces)',
  },
])('speakers: $message', ({ facts, nodes, ...wanted }) => {
  expect(speakerPart(facts, nodes)).toEqual({ part: 'speakers', ...wanted })
})
