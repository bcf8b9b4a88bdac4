import { expect, test } from 'vitest'
import { convertReview } from './convertReview.ts'

const peer = (version: string) => ({
  apiVersion: `metallb.io/${version}`,
  kind: 'BGPPeer',
  metadata: { name: version },
  spec: { myASN: 1, peerASN: 2, peerAddress: '10.0.0.1' },
})
const review = (desiredAPIVersion: string, ...objects: readonly unknown[]) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'ConversionReview',
  request: { uid: 'u1', desiredAPIVersion, objects },
})

test('[M1.5] every object is converted to the desired version, in order', () => {
  const asked = review('metallb.io/v1beta2', peer('v1beta1'), peer('v1beta2'))
  expect(convertReview(asked)).toEqual({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'ConversionReview',
    response: {
      uid: 'u1',
      result: { status: 'Success' },
      convertedObjects: [{ ...peer('v1beta1'), apiVersion: 'metallb.io/v1beta2' }, peer('v1beta2')],
    },
  })
})

const strange = [
  { wanted: 'metallb.io/v1', object: peer('v1beta1'), message: 'BGPPeer to metallb.io/v1' },
  {
    wanted: 'metallb.io/v1beta2',
    object: { ...peer('v1beta1'), kind: 'Community' },
    message: 'v1beta1 Community to metallb.io/v1beta2',
  },
  { wanted: 'metallb.io/v1beta2', object: 7, message: 'to metallb.io/v1beta2' },
]
test.each(strange)('one unconvertible object fails the whole review: $message', (row) => {
  const { wanted, object, message } = row
  expect(convertReview(review(wanted, peer('v1beta2'), object))).toMatchObject({
    response: {
      uid: 'u1',
      result: { status: 'Failure', message: expect.stringContaining(message) },
      convertedObjects: [],
    },
  })
})

test.each([7, null, {}, { kind: 'ConversionReview' }])('%j is not a review', (json) => {
  expect(convertReview(json)).toBeUndefined()
})
