// Would the kernel answer ARP for addresses of other interfaces? With kube-proxy in IPVS mode it
// does for every Service address, on every node, unless these settings keep it from it.
import { readFile } from 'node:fs/promises'

/** The machine as the kernel shows it; another folder in tests. */
const root = '/proc/sys/net/ipv4/conf/all'

/** Undefined where it cannot be read. */
export async function isArpStrict(folder = root): Promise<boolean | undefined> {
  try {
    const [ignore = 0, announce = 0] = await Promise.all(
      ['arp_ignore', 'arp_announce'].map(async (name) =>
        Number(await readFile(`${folder}/${name}`, 'utf8')),
      ),
    )
    return ignore >= 1 && announce >= 2
  } catch {
    return undefined
  }
}
