// How many of a thousand questions a second go unanswered? dnsperf asks for as long as the test works.
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { newFolder } from '../build/newFolder.ts'
import { until } from '../kube/waits.ts'

const perSecond = 1_000

export type Asked = {
  readonly sent: number
  readonly lost: number
  /** How many answers of each kind, such as NOERROR. */
  readonly codes: Readonly<Record<string, number>>
}

export type Asking = {
  /** Once that many more seconds have been told of in which there were answers. */
  readonly answered: (seconds: number) => Promise<true>
  readonly end: () => Promise<Asked>
}

/** Asks for all of the names in turn until the end, from when the first answers have come. */
export async function askAllTheTime(port: number, names: readonly string[]): Promise<Asking> {
  const file = join(newFolder(), 'questions')
  writeFileSync(file, names.map((name) => `${name} A\n`).join(''))
  const place = ['-s', '127.0.0.1', '-p', `${port}`, '-d', file]
  const args = [...place, '-Q', `${perSecond}`, '-l', '600', '-S', '1']
  const child = spawn('dnsperf', args, { stdio: ['ignore', 'pipe', 'ignore'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  let text = ''
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk
  })
  const seconds = () => text.match(/^\d+\.\d+: [1-9]/gm)?.length ?? 0
  const answered = (more: number) => {
    const wanted = seconds() + more
    return until('questions are answered', () => seconds() >= wanted || undefined)
  }
  await answered(1)
  return {
    answered,
    async end() {
      const closed = new Promise((resolve) => child.on('close', resolve))
      // It waits for what it has asked, and tells.
      child.kill('SIGINT')
      await closed
      return read(text)
    },
  }
}

function read(text: string): Asked {
  const count = (what: string) =>
    Number(new RegExp(`${what}: +(\\d+)`).exec(text)?.[1] ?? Number.NaN)
  const [, codes = ''] = /Response codes: +(.*)/.exec(text) ?? []
  const each = [...codes.matchAll(/([A-Z]+) (\d+) \(/g)]
  return {
    sent: count('Queries sent'),
    lost: count('Queries lost'),
    codes: Object.fromEntries(each.map(([, code = '', some]) => [code, Number(some)])),
  }
}
