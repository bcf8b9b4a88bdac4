// A node that answers on layer 2, as the speaker starts it: orders come as lines of JSON, news goes
// out the same way.
import { createInterface } from 'node:readline'
import { startThread, type ThreadNews } from '../../src/app/speaker/layer2/thread/startThread.ts'
import { monotonicMs } from '../../src/app/speaker/monotonic.ts'
import type { NodeNews, NodeOrder } from './layer2Ground.ts'

const beatMs = 40
const answersForMs = 3_000

const say = (news: NodeNews): void => void process.stdout.write(`${JSON.stringify(news)}\n`)
const newsOf = (news: ThreadNews): NodeNews => {
  if (news.kind === 'open') return { open: news.interfaces }
  if (news.kind === 'trouble') return { trouble: news.text }
  if (news.kind === 'ended') return { ended: news.why }
  if (news.kind === 'working') return {}
  const { kind: _, ...told } = news
  return told
}
const layer2 = startThread({ excluded: /^lo$/, tell: (news) => say(newsOf(news)) })
const beat = (): void => layer2.extend(monotonicMs() + answersForMs)
let beating: NodeJS.Timeout | undefined
const startBeating = (): void => {
  beat()
  beating = setInterval(beat, beatMs)
}
startBeating()

const obey = (order: NodeOrder): void => {
  if ('announce' in order) layer2.announce(order.announce)
  else if ('withdraw' in order) layer2.withdraw(order.withdraw)
  else if ('peers' in order) layer2.peerMacs(new Map(order.peers))
  else if (order.heart === 'stops') clearInterval(beating)
  else startBeating()
}

const lines = createInterface({ input: process.stdin })
lines.on('line', (line) => obey(JSON.parse(line)))
lines.on('close', () => {
  clearInterval(beating)
  void layer2.stop()
})
