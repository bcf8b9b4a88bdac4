// Groups stay joined while needed, and that their sockets are closed afterwards.
import { expect, test } from 'vitest'
import { type GroupSockets, openGroups } from './groups.ts'

/** A system whose sockets hold three memberships each; interface 9 does not exist. */
function newSystem(): GroupSockets & { readonly held: () => readonly number[] } {
  const sockets = new Map<number, Set<string>>()
  let next = 3
  return {
    held: () => [...sockets.values()].map((groups) => groups.size),
    open() {
      next += 1
      sockets.set(next, new Set())
      return next
    },
    add(fd, request) {
      const groups = sockets.get(fd)
      if (groups === undefined || request[16] === 9) return 'refused'
      if (groups.size === 3) return 'full'
      groups.add(request.join())
      return 'added'
    },
    drop: (fd, request) => sockets.get(fd)?.delete(request.join()),
    close: (fd) => sockets.delete(fd),
  }
}

const group = (last: number) => new Uint8Array(16).fill(255, 0, 1).fill(last, 15)

test('sockets are opened when the others are full, reused, and closed when empty', () => {
  const system = newSystem()
  const groups = openGroups(system)
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
  const system = newSystem()
  const groups = openGroups(system)
  groups.join(2, group(1))
  groups.join(2, group(1))
  groups.leave(2, group(1))
  expect(system.held()).toEqual([1])
  groups.leave(2, group(1))
  groups.leave(2, group(1))
  expect(system.held()).toEqual([])
})

test('a failed join leaves nothing behind; closing leaves all groups', () => {
  const system = newSystem()
  const groups = openGroups(system)
  expect(groups.join(9, group(1))).toBe(false)
  expect(system.held()).toEqual([])
  groups.join(2, group(1))
  expect(groups.join(9, group(1))).toBe(false)
  expect(system.held()).toEqual([1])
  groups.close()
  expect(system.held()).toEqual([])
})
