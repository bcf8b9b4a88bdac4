// Is anything lost when a node leaves on purpose? A client that connects all the time says.
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { afterEach, describe, expect, inject, test } from 'vitest'
import { until } from '../kube/waits.ts'
import { labNamed, mended, ownerOf, toolCommand, web } from './namespaces.ts'

const lab = labNamed(inject('lab'))
const { four, six } = web

type Knocked = {
  readonly count: number
  readonly failures: readonly string[]
  /** First packets of connections that had to be sent again. */
  readonly lost: number
}

/** Connects while the work is done, and a little longer. */
async function knockingDuring(address: string, work: () => Promise<void>): Promise<Knocked> {
  const child = lab.start('client-1', ...toolCommand('knock', address))
  if (child.stdout === null) throw new Error('no pipe')
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  await lines.next()
  try {
    await work()
  } finally {
    child.kill('SIGTERM')
  }
  const { value } = await lines.next()
  return JSON.parse(value ?? '') as Knocked
}

type Noted = { readonly tasks: readonly { role: string; machine: string; pid: number }[] }

function speakerOf(node: string): number {
  const { tasks } = JSON.parse(readFileSync(`/run/berth-lab/${lab.name}/lab.json`, 'utf8')) as Noted
  return (
    tasks.find(({ role, machine }) => role === 'speaker' && machine === node)?.pid ?? Number.NaN
  )
}

const drain = (word: 'drain' | 'undrain', node: string) => {
  const kubeconfig = `/run/berth-lab/${lab.name}/api/kubeconfig`
  return lab.in('control', './berth', word, node, '--kubeconfig', kubeconfig)
}

describe.skipIf(inject('lab') === '')('handover', () => {
  afterEach(() => mended(lab))

  test.each([four, six])('[R8.4] berth drain and undrain lose nothing on %s', async (address) => {
    const before = await ownerOf(lab, address)
    // What is counted is what the API says, which follows behind.
    const alone = new RegExp(`^${before} .* running +1$`, 'm')
    await until('the API says so', () => alone.test(lab.berth('status').out) || undefined)
    const knocked = await knockingDuring(address, async () => {
      const drained = drain('drain', before)
      expect(drained).toMatchObject({ status: 0 })
      expect(drained.out).toContain(`${before} announces nothing; 1 Service moved`)
      await ownerOf(lab, address, (owner) => owner !== before)
      expect(drain('undrain', before).out).toBe(`${before} may announce again\n`)
      await ownerOf(lab, address, (owner) => owner === before)
    })
    expect(knocked).toMatchObject({ failures: [], lost: 0 })
    expect(knocked.count).toBeGreaterThan(10)
  })

  test('SIGTERM of a speaker loses nothing', async () => {
    const before = await ownerOf(lab, four)
    const knocked = await knockingDuring(four, async () => {
      process.kill(speakerOf(before), 'SIGTERM')
      await until('its end', () =>
        lab.berth('status').out.includes('not running') ? true : undefined,
      )
      await ownerOf(lab, four, (owner) => owner !== before)
    })
    expect(knocked).toMatchObject({ failures: [], lost: 0 })
  })

  test("[R8.4] a label that is somebody else's is left alone", async () => {
    const label = 'node.kubernetes.io/exclude-from-external-load-balancers'
    const path = '/api/v1/nodes/node-3'
    const write = (value: string) =>
      lab.ask(
        'control',
        ['apply'],
        [
          {
            path,
            body: {
              apiVersion: 'v1',
              kind: 'Node',
              metadata: { name: 'node-3', labels: value === '' ? {} : { [label]: value } },
            },
          },
        ],
      )
    write('maintenance')
    for (const word of ['drain', 'undrain'] as const) {
      const { status, err } = drain(word, 'node-3')
      expect(status).toBe(1)
      expect(err).toContain('node-3 is already excluded by')
    }
    write('')
    expect(drain('drain', 'node-9').err).toContain('node node-9 does not exist')
    expect(drain('undrain', 'node-3').out).toBe('node-3 was not drained\n')
  })
})
