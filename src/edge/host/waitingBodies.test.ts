// Proves who gives way when too much waits: who has much, never who asks a little beside it.
import { expect, test } from 'vitest'
import { WaitingBodies } from './waitingBodies.ts'

const mostBytes = 800

function stand() {
  const waiting = new WaitingBodies(mostBytes)
  const ended: string[] = []
  const send = (source: string, bytes: number) => {
    const body = waiting.begin(source, () => ended.push(source))
    if (body !== undefined) waiting.add(body, bytes)
    return body
  }
  const sendWhole = (source: string, bytes: number) => {
    const body = send(source, bytes)
    if (body !== undefined) body.isUnfinished = false
  }
  return { ended, send, sendWhole }
}

test('a small request is read although those of another fill all the room', () => {
  const { ended, send, sendWhole } = stand()
  for (let sent = 0; sent < 8; sent++) sendWhole('much', 100)
  expect(send('little', 10)).toBeDefined()
  expect(ended).toEqual([])
})

test('the oldest of who has the most gives way', () => {
  const { ended, send } = stand()
  send('little', 90)
  for (let sent = 0; sent < 8; sent++) send('much', 100)
  expect(ended).toEqual(['much'])
})

test('beyond twice the room, those with little give way too', () => {
  const { ended, send } = stand()
  for (let sent = 0; sent < 17; sent++) send(`source ${sent}`, 99)
  expect(ended).toEqual(['source 0'])
  for (let sent = 17; sent < 30; sent++) send(`source ${sent}`, 99)
  expect(ended).toHaveLength(14)
})
