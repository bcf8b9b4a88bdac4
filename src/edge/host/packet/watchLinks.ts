// What happens to the interfaces of this host? Told by the kernel as it happens, netlink(7).
import type { HostLink } from './hostLink.ts'
import { LinkTable } from './linkTable.ts'
import { openNetlink } from './netlink.ts'
import { dumpRequest, type NetlinkMessage, netlinkMessages } from './netlinkMessages.ts'

export type WatchedLinks = { close(): void }

/** Between a telling that was not complete and the next. */
const pauseMs = 50

/**
 * The list comes once all are known, and then whenever it is another. Throws when it cannot begin;
 * later it begins anew by itself.
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

type Turn = { show(): void; again(): void }

/** All links, then all addresses: one question at a time. Events in between are told as well. */
function follow(table: LinkTable, { show, again }: Turn): WatchedLinks {
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
