// Does the first Service answer a client? Asked until it does, on each of its addresses.
import { get } from 'node:http'
import { isIPv6 } from 'node:net'
import { until } from './waits.ts'

const patienceMs = 30_000
const answerMs = 1_000

/** Which node answered on each. */
export const reach = (addresses: readonly string[]): Promise<readonly string[]> =>
  Promise.all(
    addresses.map((address) =>
      until({
        what: `an answer from ${address}`,
        withinMs: patienceMs,
        look: () => answerOf(address),
      }),
    ),
  )

function answerOf(address: string): Promise<string | undefined> {
  const host = isIPv6(address) ? `[${address}]` : address
  return new Promise((resolve) => {
    const options = { agent: false, timeout: answerMs }
    const asked = get(`http://${host}/`, options, (response) => {
      let text = ''
      response.on('data', (chunk) => {
        text += String(chunk)
      })
      response.on('end', () => resolve(text.trim()))
      response.on('error', () => resolve(undefined))
    })
    asked.on('timeout', () => asked.destroy(new Error('no answer')))
    asked.on('error', () => resolve(undefined))
  })
}
