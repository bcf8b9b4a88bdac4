// What is announced on the LAN? Every gratuitous ARP, for which address, and when the kernel
// received it, because this process may have to wait for a CPU. Runs in the client; each line of
// input is a command: `reset` or `report`.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { decodeArp } from '../../src/core/wire/arp.ts'

export type Heard = {
  readonly frames: number
  readonly addresses: number
  /** Wall-clock times at which the first and the last address were first announced. */
  readonly firstMs: number
  readonly lastMs: number
}

const firsts = new Map<string, number>()
let frames = 0
let sinceMs = 0

/** pcap-savefile(5): a file header, then for each frame its time and captured length. */
const [fileHeadBytes, frameHeadBytes] = [24, 16]
const bufferKilobytes = '32768'
const filter = ['-i', 'eth0', '-n', '-s', '64', '-B', bufferKilobytes, 'arp']
const tcpdump = spawn('tcpdump', ['-U', '-w', '-', ...filter], {
  stdio: ['ignore', 'pipe', 'inherit'],
})
let unread = Buffer.alloc(0)
let skip = fileHeadBytes
tcpdump.stdout.on('data', (chunk: Buffer) => {
  unread = Buffer.concat([unread, chunk])
  for (;;) {
    const whole = unread.subarray(skip)
    if (whole.length < frameHeadBytes) return
    const end = frameHeadBytes + whole.readUInt32LE(8)
    if (whole.length < end) return
    const atMs = whole.readUInt32LE(0) * 1_000 + whole.readUInt32LE(4) / 1_000
    hear(whole.subarray(frameHeadBytes, end), atMs)
    unread = whole.subarray(end)
    skip = 0
  }
})

function hear(frame: Uint8Array, atMs: number): void {
  if (atMs < sinceMs) return
  const arp = decodeArp(frame)
  if (!arp.ok || arp.value.senderIp !== arp.value.targetIp) return
  frames++
  if (!firsts.has(arp.value.senderIp)) firsts.set(arp.value.senderIp, atMs)
}

// Without tcpdump it would report silence.
tcpdump.once('exit', (code) => {
  process.stderr.write(`tcpdump exited: ${code}\n`)
  process.exit(1)
})
process.once('SIGTERM', () => {
  tcpdump.removeAllListeners('exit').kill()
  process.exit()
})

// The file header is written once it listens.
tcpdump.stdout.once('data', () => createInterface(process.stdin).on('line', answer))

function answer(line: string): void {
  if (line === 'reset') {
    firsts.clear()
    frames = 0
    sinceMs = Date.now()
  }
  const heard: Heard = {
    frames,
    addresses: firsts.size,
    firstMs: Math.min(...firsts.values(), Number.MAX_SAFE_INTEGER),
    lastMs: Math.max(...firsts.values(), 0),
  }
  process.stdout.write(`${JSON.stringify(heard)}\n`)
}
