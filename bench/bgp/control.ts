// What does a router say? Asked over its control socket by one connection: a program started for each question
// would take the time that is measured, and the processor from who is.
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export type Control = { readonly ask: (line: string) => Promise<string>; readonly end: () => void }

/** BIRD: lines with a code, the last of them with a space behind it. */
export const birdControl = (path: string): Promise<Control> =>
  control(path, { end: '\n', isWhole: (said) => /(^|\n)(0|8|9)\d{3} [^\n]*\n$/.test(said) })

/** FRR: three zeros and a code behind an answer. */
export async function frrControl(path: string): Promise<Control> {
  const asked = await control(path, { end: '\0', isWhole: (said) => /\0\0\0.$/s.test(said) })
  await asked.ask('enable')
  return asked
}

/** Once the router listens. */
export async function opened(who: string, open: () => Promise<Control>): Promise<Control> {
  for (let tries = 0; tries < 500; tries++) {
    try {
      return await open()
    } catch {
      await sleep(20)
    }
  }
  throw new Error(`${who} does not listen on its control socket`)
}

type Manner = { readonly end: string; readonly isWhole: (said: string) => boolean }

async function control(path: string, { end, isWhole }: Manner): Promise<Control> {
  const socket = await connected(path)
  let said = ''
  let asked: { answered: (text: string) => void; failed: (fault: Error) => void } | undefined
  socket.setEncoding('latin1')
  socket.on('data', (text) => {
    said += String(text)
    if (isWhole(said)) asked?.answered(said)
  })
  socket.on('close', () => asked?.failed(new Error(`${path}: the router has ended`)))
  const ask = (line: string): Promise<string> =>
    new Promise((answered, failed) => {
      said = ''
      asked = { answered, failed }
      socket.write(`${line}${end}`)
    })
  return { ask, end: () => void socket.destroy() }
}

const connected = (path: string): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(path, () => {
      socket.off('error', reject)
      socket.on('error', () => undefined)
      resolve(socket)
    })
    socket.once('error', reject)
  })
