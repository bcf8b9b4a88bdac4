// Which dnsmasq reads this folder, and how is it told to read all of it again? By SIGHUP, where its
// process can be seen, as in the pod of a DNSMasq, and belongs to the same user.
import { readdirSync, readFileSync } from 'node:fs'
import process from 'node:process'

/** Undefined where there is none that hears us. */
export function dnsmasqOf(folder: string): (() => void) | undefined {
  const pid = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .find((one) => argumentsOf(one).includes(`--hostsdir=${folder}`) && mayTell(one))
  return pid === undefined ? undefined : () => void tell(pid, 'SIGHUP')
}

const mayTell = (pid: number): boolean => tell(pid, 0)

/** False where it is gone, or another user's. */
function tell(pid: number, signal: 'SIGHUP' | 0): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}

function argumentsOf(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  } catch {
    return []
  }
}
