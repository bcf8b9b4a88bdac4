// Thousands of annotations that nearly have a known name. The attacker can reach the webhook's port, and has no
// credentials, or has a token of the embedded API for a namespace. Afterwards: the first few are compared with the
// known ones.
// Before: each was compared with all, letter by letter: one question of 256 KiB took 5 s of processor time, and 30 s
// on a busy machine, longer than the Lease of the controller lasts.
import { expect, test } from 'vitest'
import { gatesOf } from '../../src/app/cli/gates.ts'
import { reviewAdmission } from '../../src/app/controller/webhookReview.ts'
import { World } from '../../src/core/model/world.ts'
import { Fields } from '../../src/edge/kube/decode/fields.ts'
import { readCrds } from '../../src/edge/manifests/shippedCrds.ts'

const gate = gatesOf(await readCrds())('native')
const known = new World({ ownNamespace: 'metallb-system', loadBalancerClass: '' })
const reviewer = { gate, world: () => known, lastKnown: () => known }

/** As many as a webhook looks at, each a letter away from one that there is. */
const annotations = Object.fromEntries(
  Array.from({ length: 8_000 }, (_, at) => [`berth.dev/serves${at.toString(36)}`, '']),
)
const pool = {
  apiVersion: 'metallb.io/v1beta1',
  kind: 'IPAddressPool',
  metadata: { name: 'p', namespace: 'metallb-system', annotations },
  spec: { addresses: ['10.0.0.0/24'] },
}
const hints = (warnings: readonly string[]): number =>
  warnings.filter((warning) => warning.includes('did you mean')).length

test('of an object, to the webhook', () => {
  const kind = { group: 'metallb.io', version: 'v1beta1', kind: 'IPAddressPool' }
  const request = { uid: 'u', kind, operation: 'CREATE', name: 'p', object: pool }
  const review = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request }
  const body = Buffer.from(JSON.stringify(review))
  const answer = reviewAdmission(body, new Set(['metallb.io/IPAddressPool']), reviewer)
  expect(answer).toMatchObject({ response: { allowed: true } })
  const warnings = new Fields(answer, []).inner('response').texts('warnings')
  expect(warnings).toHaveLength(100)
  expect(hints(warnings)).toBeGreaterThan(0)
  expect(hints(warnings)).toBeLessThan(20)
})

test('of a Service, to the embedded API', () => {
  const service = {
    ...{ apiVersion: 'v1', kind: 'Service', metadata: { name: 'a', namespace: 'b', annotations } },
    spec: { type: 'LoadBalancer', ports: [{ port: 80 }] },
  }
  const admitted = gate.admit(known, service, undefined)
  if (!admitted.ok) throw new Error(JSON.stringify(admitted.errors))
  expect(admitted.warnings).toHaveLength(8_000)
  expect(hints(admitted.warnings)).toBeLessThan(20)
})
