// How does Berth follow the interfaces of this host? The kernel reports changes, netlink(7).
import type { HostLink } from './hostLink.ts'
import { LinkTable } from './linkTable.ts'
import { openNetlink } from './netlink.ts'
import { dumpRequest, type NetlinkMessage, netlinkMessages } from './netlinkMessages.ts'

export type WatchedLinks = { close(): void }

/** Pause before an incomplete dump is requested again. */
const pauseMs = 50

/**
 * Calls back once all links are known, and whenever the list changes. Throws if it cannot start;
 * after that it recovers by itself.
 */
export function watchLinks(onLinks: (links: readonly HostLink[]) => void): WatchedLinks {
  const table = new LinkTable()
  let shown = ''
  const show = (): void => {
    const links = table.links()
    const text = JSON.stringify(links)
    if (text === shown) return
    shown = text
    onLinks(links)
  }
  let current = follow(table, { show, again })
  let timer: NodeJS.Timeout | undefined
  function again(): void {
    current.close()
    clearTimeout(timer)
    timer = setTimeout(() => {
      try {
        current = follow(table, { show, again })
      } catch {
        again()
      }
    }, pauseMs)
  }
  return {
    close() {
      clearTimeout(timer)
      current.close()
    },
  }
}

type Follower = { show(): void; again(): void }

/** Dumps all links, then all addresses, one request at a time. Events may arrive in between. */
function follow(table: LinkTable, { show, again }: Follower): WatchedLinks {
  let asked: 'links' | 'addresses' | 'nothing' = 'links'
  let isIncomplete = false
  const hear = (message: NetlinkMessage): void => {
    if (message.kind === 'incomplete') isIncomplete = true
    else if (message.kind !== 'done') table.apply(message)
    else if (asked === 'links') {
      asked = 'addresses'
      socket.send(dumpRequest('addresses'))
    } else if (asked === 'addresses') {
      asked = 'nothing'
      table.endAnew()
    }
  }
  const socket = openNetlink({
    onDatagram(bytes) {
      for (const message of netlinkMessages(bytes)) hear(message)
    },
    onDrained() {
      if (isIncomplete) again()
      else if (asked === 'nothing') show()
    },
    onEnd: again,
  })
  table.startAnew()
  socket.send(dumpRequest('links'))
  return socket
}
