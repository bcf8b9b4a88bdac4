// Python's kubernetes on our API: the tests are in Python, each is told here under its own name.
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { beforeAll, describe, expect, inject, test } from 'vitest'

const folder = join(import.meta.dirname, 'python')
const libraries = inject('libraries')
const files = readdirSync(folder).filter((file) => file.endsWith('_test.py'))

/** `Class.test_name`, in the order in which they are written. */
function testsIn(file: string): string[] {
  const text = readFileSync(join(folder, file), 'utf8')
  let owner = ''
  return text.split('\n').flatMap((line) => {
    owner = /^class (\w+)/.exec(line)?.[1] ?? owner
    const name = /^ {4}def (test_\w+)/.exec(line)?.[1]
    return name === undefined ? [] : [`${owner}.${name}`]
  })
}

type Told = { readonly test: string; readonly why: string }

/** What became of each test: '' when it held. What fails beside them fails all. */
async function run(file: string): Promise<ReadonlyMap<string, string>> {
  const python = join(libraries, 'python', 'bin', 'python')
  const env = { ...process.env, KUBECONFIG: inject('kubeconfig'), PYTHONDONTWRITEBYTECODE: '1' }
  const args = ['-W', 'ignore', 'report.py', file.replace(/\.py$/, '')]
  const child = spawn(python, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const complaint = Array.fromAsync(child.stderr, String)
  const told = new Map<string, string>()
  for await (const line of createInterface(child.stdout)) {
    const { test: name, why }: Told = JSON.parse(line)
    if (!testsIn(file).includes(name)) throw new Error(`${name}: ${why}`)
    told.set(name, why)
  }
  if (told.size === 0) throw new Error((await complaint).join(''))
  return told
}

describe.skipIf(libraries === '')('python', () => {
  const told = new Map<string, string>()
  beforeAll(async () => {
    // Much of it is waiting, so that all wait at once.
    for (const ran of await Promise.all(files.map(run))) for (const one of ran) told.set(...one)
  })

  test.each(files.flatMap(testsIn))('%s', (name) => {
    expect(told.get(name) ?? 'it did not run').toBe('')
  })
})
