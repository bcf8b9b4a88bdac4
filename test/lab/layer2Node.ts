// A node that answers on layer 2, as the speaker starts it: orders come as lines of JSON, news goes
// out the same way.
import { createInterface } from 'node:readline'
import { startLayer2 } from '../../src/app/speaker/layer2/thread/layer2.ts'
import { monotonicMs } from '../../src/app/speaker/monotonic.ts'
import type { NodeNews, NodeOrder } from './layer2Ground.ts'

const beatMs = 40
const answersForMs = 3_000

const say = (news: NodeNews): void => void process.stdout.write(`${JSON.stringify(news)}\n`)
const layer2 = startLayer2({
  excluded: /^lo$/,
  onLinks: (links) => say({ links }),
  onOpen: (open) => say({ open }),
  onStarted: (started) => say({ started }),
  onSightings: (sightings) => say({ sightings }),
  onCounts: (counts) => say({ counts }),
  onTrouble: (trouble) => say({ trouble }),
  onEnded: (ended) => say({ ended }),
})
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
  else if ('fellows' in order) layer2.fellowMacs(new Map(order.fellows))
  else if (order.heart === 'stops') clearInterval(beating)
  else startBeating()
}

const lines = createInterface({ input: process.stdin })
lines.on('line', (line) => obey(JSON.parse(line)))
lines.on('close', () => {
  clearInterval(beating)
  void layer2.stop()
})
