// When does a request first get an answer? Asked every 25 ms from when it starts; then it ends.
import { get } from 'node:http'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'

const [host = '', port = ''] = process.argv.slice(2)

const isAnswered = (): Promise<boolean> =>
  new Promise((resolve) => {
    const asked = get({ host, port, path: '/', agent: false, timeout: 250 })
    asked.on('timeout', () => asked.destroy())
    asked.on('error', () => resolve(false))
    asked.on('response', (response) => {
      response.resume()
      resolve(true)
    })
  })

/** Those before it may still wait for somebody to answer ARP: each is on its own. */
let isOver = false
while (!isOver) {
  void isAnswered().then((answered) => {
    if (!answered || isOver) return
    isOver = true
    process.stdout.write(`${JSON.stringify({ atMs: Date.now() })}\n`)
    process.exit(0)
  })
  await sleep(25)
}
