// Do the README's lines do what it says? `make up`, then each line of the terminal, word for word.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { consoleIn } from '../build/console.ts'
import { followed } from './followed.ts'
import { type Machine, newMachine } from './machine.ts'

/** The lab's lines are run by test/lab. */
const steps = consoleIn(readFileSync('README.md', 'utf8')).filter(
  ({ command }) => !command.includes('berth lab'),
)

describe.skipIf(inject('kubectl') === '')('the README', () => {
  let machine: Machine
  beforeAll(() => {
    machine = newMachine()
  })
  afterAll(() => machine?.remove())

  test('make up starts it in the background and says where', () => {
    const { exit, text } = machine.shell('make up PORT=0')
    expect(text).toMatch(/^API {9}https:\/\/127\.0\.0\.1:\d+$/m)
    expect(text).toContain("Stop it with 'berth down'")
    expect(exit).toBe(0)
  })

  test('its lines print what it shows', async () => {
    const exports = steps.filter(({ command }) => command.startsWith('export '))
    const before = exports.map(({ command }) => `${command}\n`).join('')
    await followed(steps, (command) => machine.shell(`${before}${command}`).text)
  })

  test('make down ends it, and the next make up goes on where it was', () => {
    expect(machine.shell('make down').text).toMatch(/^stopped: process \d+$/m)
    machine.shell('make up PORT=0')
    const get = 'KUBECONFIG=~/.local/share/berth/kubeconfig kubectl get service web -o name'
    expect(machine.shell(get).text).toBe('service/web\n')
  })
})
