// Which keys are in force? Those in a file, which is read again as long as it is followed: a Secret
// that is mounted changes by a link that is swapped, which only reading finds on every file system.
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { type Parsed, refused } from '../../core/net/parsed.ts'
import { type KeyRing, parseKeys } from './sealingKey.ts'

type KeyFile = {
  readonly path: string
  readonly everyMs?: number
  readonly changed: (keys: KeyRing) => void
  /** What cannot be read takes no key away; told once for each new reason. */
  readonly failed: (why: string) => void
}

/** Until the signal aborts; `changed` also tells of the first reading. */
export async function followKeys(file: KeyFile, signal: AbortSignal): Promise<void> {
  let [known, told] = ['', '']
  const look = async () => {
    const text = await readText(file.path)
    if (signal.aborted || (text.ok && text.value === known)) return
    const keys = text.ok ? parseKeys(text.value) : text
    if (!keys.ok) {
      if (keys.why !== told) file.failed(keys.why)
      told = keys.why
      return
    }
    known = text.ok ? text.value : ''
    told = ''
    file.changed(keys.value)
  }
  const timer = setInterval(look, file.everyMs ?? 5000)
  await look()
  if (!signal.aborted) await once(signal, 'abort')
  clearInterval(timer)
}

async function readText(path: string): Promise<Parsed<string>> {
  try {
    return { ok: true, value: await readFile(path, 'utf8') }
  } catch (error) {
    return refused(error instanceof Error ? error.message : String(error))
  }
}
