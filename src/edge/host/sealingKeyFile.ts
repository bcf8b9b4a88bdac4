// Which keys are in force? Those in a file that is polled: the kubelet updates a mounted Secret by
// swapping a symbolic link, and only reading detects that on every file system.
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { type Parsed, refused } from '../../core/net/parsed.ts'
import { type KeyRing, parseKeys } from './sealingKey.ts'

type KeyFile = {
  readonly path: string
  readonly everyMs?: number
  readonly changed: (keys: KeyRing) => void
  /** An unreadable file keeps the current keys; called once for each new reason. */
  readonly failed: (why: string) => void
}

/** Runs until the signal aborts; `changed` is also called for the first reading. */
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
