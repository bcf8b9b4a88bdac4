// Proves that groups stay joined while needed, and that their sockets are closed afterwards.
import { expect, test, vi } from 'vitest'
import { openGroups } from './groups.ts'

/** A system whose sockets hold three memberships each; interface 9 does not exist. */
const system = vi.hoisted(() => {
  const sockets = new Map<number, Set<string>>()
  const state = { next: 3, errno: '' }
  const fail = (errno: string): number => {
    state.errno = errno
    return -1
  }
  const drop = 21
  return {
    sockets,
    held: () => [...sockets.values()].map((groups) => groups.size),
    openSocket: () => {
      sockets.set(++state.next, new Set())
      return state.next
    },
    libc: () => ({
      errno: () => state.errno,
      close: (fd: number) => (sockets.delete(fd) ? 0 : fail('EBADF')),
      setsockopt: (fd: number, _level: number, name: number, request: Uint8Array) => {
        const [groups, group] = [sockets.get(fd), request.join()]
        if (groups === undefined) return fail('EBADF')
        if (name === drop) return groups.delete(group) ? 0 : fail('EADDRNOTAVAIL')
        if (request[16] === 9) return fail('ENODEV')
        if (groups.size === 3) return fail('ENOMEM')
        groups.add(group)
        return 0
      },
    }),
  }
})
vi.mock('./libc.ts', () => system)

const group = (last: number) => new Uint8Array(16).fill(255, 0, 1).fill(last, 15)

test('sockets are opened when the others are full, reused, and closed when empty', () => {
  const groups = openGroups()
  for (let last = 1; last <= 7; last++) expect(groups.join(2, group(last))).toBe(true)
  expect(system.held()).toEqual([3, 3, 1])
  groups.leave(2, group(2))
  expect(groups.join(2, group(8))).toBe(true)
  expect(system.held()).toEqual([3, 3, 1])
  for (const last of [4, 5, 6]) groups.leave(2, group(last))
  expect(system.held()).toEqual([3, 1])
  for (const last of [1, 3, 7, 8]) groups.leave(2, group(last))
  expect(system.held()).toEqual([])
})

test('a group stays joined until every join is matched by a leave', () => {
  const groups = openGroups()
  groups.join(2, group(1))
  groups.join(2, group(1))
  groups.leave(2, group(1))
  expect(system.held()).toEqual([1])
  groups.leave(2, group(1))
  groups.leave(2, group(1))
  expect(system.held()).toEqual([])
})

test('a failed join leaves nothing behind; closing leaves all groups', () => {
  const groups = openGroups()
  expect(groups.join(9, group(1))).toBe(false)
  expect(system.held()).toEqual([])
  groups.join(2, group(1))
  expect(groups.join(9, group(1))).toBe(false)
  expect(system.held()).toEqual([1])
  groups.close()
  expect(system.held()).toEqual([])
})
