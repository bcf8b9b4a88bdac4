import { expect, test } from 'vitest'
import { nowhere } from '../../../../test/build/terminal.ts'
import { watched } from './watched.ts'

/** Three pages, the second of which cannot be read; then the user ends it. */
async function pages(isTerminal: boolean): Promise<readonly string[]> {
  const end = new AbortController()
  const shown: string[] = []
  const painted = (text: string) => void shown.push(text)
  const io = { ...nowhere, isTerminal, painted, signal: end.signal }
  let count = 0
  const exit = await watched(
    io,
    async (page) => {
      count += 1
      if (count === 2) page.err('no \u001b[31manswer\n')
      else page.painted?.(`\u001b[31mpage ${count}\u001b[0m\n`)
      if (count === 4) end.abort()
      return count === 2 ? 1 : 0
    },
    1,
  )
  expect(exit).toBe(0)
  return shown
}

const red = (text: string) => `\u001b[31m${text}\u001b[0m`

test('a terminal is cleared before each page; a failure is a page of its own', async () => {
  const clear = '\u001b[H\u001b[2J'
  expect(await pages(true)).toEqual([
    `${clear}${red('page 1')}\n`,
    `${clear}no \\u001b[31manswer\n`,
    `${clear}${red('page 3')}\n`,
  ])
})

test('in a file pages follow each other', async () => {
  expect((await pages(false)).join('')).toBe(
    `${red('page 1')}\n\nno \\u001b[31manswer\n\n${red('page 3')}\n\n`,
  )
})

test.each([
  { rows: 10, columns: 80, shown: ['one', 'two', red('three'), 'four'] },
  { rows: 5, columns: 80, shown: ['one', 'two', red('three'), 'four'] },
  { rows: 4, columns: 80, shown: ['one', 'two', '... 2 more lines: make the terminal taller'] },
  { rows: 5, columns: 4, shown: ['one', 'two', '... '] },
])('of $rows rows and $columns columns the beginning is seen', async ({ shown, ...size }) => {
  const end = new AbortController()
  let written = ''
  const write = (text: string) => {
    written = text
    end.abort()
  }
  const io = { ...nowhere, isTerminal: true, painted: write, signal: end.signal }
  const page = `one\ntwo\n${red('three')}\nfour\n`
  const read = async ({ painted }: Parameters<Parameters<typeof watched>[1]>[0]) => {
    painted?.(page)
    return 0 as const
  }
  await watched({ ...io, screen: () => size }, read, 1)
  expect(written).toBe(`\u001b[H\u001b[2J${shown.join('\n')}\n`)
})
