// A node that answers for many addresses: FIRST-IPV4 FIRST-IPV6 COUNT. It prints `ready` when all
// are announced, and ends when its input closes.

import { startThread } from '../../src/app/speaker/layer2/thread/startThread.ts'
import { monotonicMs } from '../../src/app/speaker/monotonic.ts'
import { familyOf, fromBigInt, type Ip, parseIp, toBigInt } from '../../src/core/net/ip.ts'

const [four = '', six = '', count = '1'] = process.argv.slice(2)

function* addressesFrom(text: string): Generator<Ip> {
  const first = parseIp(text)
  if (!first.ok) throw new Error(first.why)
  for (let at = 0n; at < BigInt(count); at++) {
    yield fromBigInt(familyOf(first.value), toBigInt(first.value) + at)
  }
}

const wanted = [...addressesFrom(four), ...addressesFrom(six)]
const announcements = wanted.map(
  (address) => ({ address, interfaces: 'all', start: 'burst' }) as const,
)
let [started, isOpen] = [0, false]
const layer2 = startThread({
  excluded: /^lo$/,
  tell(news) {
    if (news.kind === 'links' && !isOpen) {
      // Both families: the link's own IPv6 address comes a little later.
      isOpen = news.links.some(({ linkLocal }) => linkLocal !== undefined)
      if (isOpen) layer2.announce(announcements)
    } else if (news.kind === 'started') {
      started += news.started.length
      if (started === wanted.length) process.stdout.write('ready\n')
    } else if (news.kind === 'trouble') process.stderr.write(`${news.text}\n`)
    else if (news.kind === 'ended') process.stderr.write(`${news.why}\n`)
  },
})
const beating = setInterval(() => layer2.extend(monotonicMs() + 300), 40)
process.stdin.resume().on('end', () => {
  clearInterval(beating)
  void layer2.stop()
})
