import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { folderAt } from './folder.ts'
import { tellRunning, tellStopped, whoRuns } from './running.ts'

const folder = folderAt(mkdtempSync(join(tmpdir(), 'berth-running-')))
afterAll(() => rmSync(folder.path, { recursive: true }))

test('a running process is known until it stops', () => {
  expect(whoRuns(folder)).toBeUndefined()
  tellRunning(folder, {
    server: 'https://127.0.0.1:7443',
    listen: '127.0.0.1',
    isAnnouncing: false,
  })
  expect(whoRuns(folder)).toMatchObject({ pid: process.pid, server: 'https://127.0.0.1:7443' })
  tellStopped(folder)
  expect(whoRuns(folder)).toBeUndefined()
})

test.each([
  ['a process that has ended', JSON.stringify({ pid: 2 ** 22 + 1, since: '1', server: '' })],
  ['a reused pid', JSON.stringify({ pid: 1, since: '99', server: '' })],
  ['a truncated file', '{"pid": 1'],
])('%s does not count as running', (_, text) => {
  writeFileSync(folder.running, text)
  expect(whoRuns(folder)).toBeUndefined()
})
