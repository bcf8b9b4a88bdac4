// Does the first Service answer a client? Asks each of its addresses until the right node answers.
import { get } from 'node:http'
import { isIPv6 } from 'node:net'
import { until } from './waits.ts'

const patienceMs = 30_000
const answerMs = 1_000

/** Waits for that node, or any if none is named: a lab has settled when it is shown. */
export async function reach(node: string, addresses: readonly string[]): Promise<void> {
  await Promise.all(
    addresses.map((address) =>
      until({
        what: `an answer from ${node || 'any node'} at ${address}`,
        withinMs: patienceMs,
        look: async () => {
          const answer = (await answerOf(address)) ?? ''
          return answer !== '' && (node === '' || answer === node) ? true : undefined
        },
      }),
    ),
  )
}

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
