// Frames that nobody should have to read, as fast as they go, for as long as it is told: random
// ones, and cut and changed ones of the kinds that are listened to.
import { randomBytes, randomInt } from 'node:crypto'
import { arpFilter } from '../../src/edge/host/packet/filters.ts'
import { openPacketSocket } from '../../src/edge/host/packet/packetSocket.ts'
import { fromHex } from '../build/hex.ts'

const arp = 'ffffffffffff0200000000090806000108000604000102000000000900000000000000000000c0000264'
const solicitation =
  '3333ff00010002000000000986dd6000000000203afffd000000000000000000000000000009ff0200000000000000' +
  '000001ff00010087001234000000fd0000000000000000000000000001000101020000000009'

const [index = '2', forMs = '1000'] = process.argv.slice(2)
const nothing = (): void => undefined
const socket = openPacketSocket({
  interfaceIndex: Number(index),
  filter: arpFilter,
  onFrame: nothing,
  onEnd: nothing,
})

function oneFrame(): Uint8Array {
  const frame = fromHex(randomInt(2) === 0 ? arp : solicitation)
  for (let changes = randomInt(4); changes > 0; changes--) {
    frame[randomInt(14, frame.length)] = randomInt(256)
  }
  const length = randomInt(14, frame.length + 1)
  if (randomInt(4) === 0)
    return Uint8Array.of(...frame.subarray(0, 14), ...randomBytes(randomInt(1400)))
  return frame.subarray(0, length)
}

const end = performance.now() + Number(forMs)
while (performance.now() < end) socket.send(oneFrame())
socket.close()
