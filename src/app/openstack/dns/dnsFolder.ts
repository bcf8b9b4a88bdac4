// Where are the files of the DNS servers of one machine? Where dnsmasq may read them once it is
// nobody. What a killed run left behind is ended and removed.
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'

/** `note` is a file in the data folder that says where it is. */
export function openDnsFolder(note: string): string {
  closeDnsFolder(note)
  const folder = mkdtempSync(join(tmpdir(), 'berth-dns-'))
  chmodSync(folder, 0o755)
  writeFileSync(note, folder, { mode: 0o600 })
  return folder
}

export function closeDnsFolder(note: string): void {
  if (!existsSync(note)) return
  const folder = readFileSync(note, 'utf8')
  if (existsSync(folder)) {
    for (const name of readdirSync(folder)) endLeftOver(join(folder, name))
    rmSync(folder, { recursive: true, force: true })
  }
  rmSync(note, { force: true })
}

/** Only what was started on that very folder: the number may be another's by now. */
function endLeftOver(folder: string): void {
  const [file, pid] = [join(folder, 'pid'), pidIn(join(folder, 'pid'))]
  if (pid === undefined || !commandOf(pid).includes(folder)) return
  process.kill(pid, 'SIGKILL')
  rmSync(file, { force: true })
}

function pidIn(file: string): number | undefined {
  const pid = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0
  return pid > 1 ? pid : undefined
}

function commandOf(pid: number): string {
  const file = `/proc/${pid}/cmdline`
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}
