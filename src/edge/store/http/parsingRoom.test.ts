import { expect, test } from 'vitest'
import { ParsingRoom } from './parsingRoom.ts'

const turns = () => new Promise((resolve) => setImmediate(resolve))

/** Notes who begins. */
function room(mostBytes: number) {
  const parsing = new ParsingRoom(mostBytes)
  const begun: string[] = []
  const enter = (user: string, bytes: number): void => {
    void parsing.enter(user, bytes).then(() => begun.push(`${user} ${bytes}`))
  }
  return { parsing, begun, enter }
}

test('as many begin as there is room for, and the next once one is over', async () => {
  const { parsing, begun, enter } = room(100)
  for (const bytes of [60, 40, 30, 20]) enter('a', bytes)
  await turns()
  expect(begun).toEqual(['a 60', 'a 40'])
  parsing.leave(40)
  await turns()
  expect(begun).toEqual(['a 60', 'a 40', 'a 30'])
  parsing.leave(60)
  await turns()
  expect(begun).toEqual(['a 60', 'a 40', 'a 30', 'a 20'])
})

test('one that is larger than the room begins alone', async () => {
  const { parsing, begun, enter } = room(100)
  enter('a', 1)
  enter('a', 500)
  enter('a', 1)
  await turns()
  expect(begun).toEqual(['a 1'])
  parsing.leave(1)
  await turns()
  expect(begun).toEqual(['a 1', 'a 500'])
})

test('users take turns, however many bodies of one wait', async () => {
  const { parsing, begun, enter } = room(100)
  for (let made = 0; made < 5; made++) enter('a', 100)
  enter('b', 10)
  parsing.leave(100)
  parsing.leave(100)
  await turns()
  expect(begun).toEqual(['a 100', 'a 100', 'b 10'])
})
