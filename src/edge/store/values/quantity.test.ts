import { expect, test } from 'vitest'
import { canonicalQuantity } from './quantity.ts'

// Each answer is that of k8s.io/apimachinery v0.36.3.
const cases: readonly [given: string, written: string][] = [
  ['0', '0'],
  ['1', '1'],
  ['007', '007'],
  ['+1', '+1'],
  ['-1.5', '-1500m'],
  ['0.5', '500m'],
  ['1.5', '1500m'],
  ['1.500', '1.500'],
  ['1000', '1k'],
  ['1500', '1500'],
  ['0.0000000001', '1n'],
  ['1.1234567891', '1123456790n'],
  ['100m', '100m'],
  ['1000m', '1'],
  ['1Gi', '1Gi'],
  ['1.5Gi', '1536Mi'],
  ['1024Mi', '1Gi'],
  ['1000Ki', '1000Ki'],
  ['0.5Ki', '512'],
  ['0.1Ki', '102400m'],
  ['16Ei', '9223372036854775807'],
  ['10.001Ei', '9223372036854775807'],
  ['1e3', '1e3'],
  ['1000e3', '1e6'],
  ['12E6', '12E6'],
  ['5e-12', '1e-9'],
  ['123456789012345678900', '123456789012345678900'],
]
test.each(cases)('%s is written %s', (given, written) => {
  expect(canonicalQuantity(given)).toBe(written)
})

test.each(['', 'abc', '1K', '1 Gi', '1e', '1.5.5', '--1', '1Gi5', '9'.repeat(101)])(
  '"%s" is no quantity',
  (given) => expect(canonicalQuantity(given)).toBeUndefined(),
)
