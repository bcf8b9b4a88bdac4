// Would the kernel answer ARP for addresses of other interfaces? With kube-proxy in IPVS mode it
// does so for every Service address on every node, unless these settings prevent it.
import { readFile } from 'node:fs/promises'

/** The kernel's settings; tests pass another folder. */
const root = '/proc/sys/net/ipv4/conf'

/** Whether all of the interfaces are strict; undefined if that cannot be read. */
export async function isArpStrict(
  interfaces: readonly string[],
  folder = root,
): Promise<boolean | undefined> {
  try {
    const [ofAll, ...each] = await Promise.all(
      ['all', ...interfaces].map((name) => settingsIn(`${folder}/${name}`)),
    )
    return (each.length === 0 ? [ofAll] : each).every(
      (own) =>
        Math.max(own?.ignore ?? 0, ofAll?.ignore ?? 0) >= 1 &&
        Math.max(own?.announce ?? 0, ofAll?.announce ?? 0) >= 2,
    )
  } catch {
    return undefined
  }
}

type Settings = { readonly ignore: number; readonly announce: number }

/** The kernel uses the greater of the interface's own value and that of "all". */
async function settingsIn(folder: string): Promise<Settings> {
  const [ignore = 0, announce = 0] = await Promise.all(
    ['arp_ignore', 'arp_announce'].map(async (name) =>
      Number(await readFile(`${folder}/${name}`, 'utf8')),
    ),
  )
  return { ignore, announce }
}
