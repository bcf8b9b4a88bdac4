// What is left of a lab? Nothing, however it ended, and nothing else is touched.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import { afterEach, describe, expect, inject, test } from 'vitest'
import { until } from '../kube/waits.ts'
import { berthLab, labNamed, ownerOf, run, tracesOf } from './namespaces.ts'

const name = 'leftover'
const small = ['--nodes', '1', '--routers', '0', '--without-speakers']
const file = `/run/berth-lab/${name}/lab.json`
const links = (): string => run(['ip', '-o', 'link', 'show']).out

describe.skipIf(inject('lab') === '')('leftovers', () => {
  afterEach(() => void berthLab(name, 'down'))

  test('a lab comes and goes beside another, and the host stays as it is', async () => {
    const before = links()
    expect(berthLab(name, 'up', ...small)).toMatchObject({ status: 0, err: '' })
    expect(links()).toBe(before)
    expect(tracesOf(name).length).toBeGreaterThan(0)
    const again = berthLab(name, 'up', ...small)
    expect(again).toMatchObject({ status: 1 })
    expect(again.err).toContain(`remove it with 'berth lab down --name ${name}'`)
    expect(berthLab(name, 'down').out).toMatch(/^removed: 3 processes, 4 namespaces$/m)
    expect(tracesOf(name)).toEqual([])
    expect(links()).toBe(before)
    expect(berthLab(name, 'down')).toMatchObject({ status: 0, out: `there is no lab ${name}\n` })
    await ownerOf(labNamed(inject('lab')), '10.10.100.1')
  })

  test('what was noted is not needed to find all of it', () => {
    berthLab(name, 'up', ...small)
    writeFileSync(file, '{"settings":')
    expect(berthLab(name, 'status')).toMatchObject({ status: 1 })
    expect(berthLab(name, 'down')).toMatchObject({ status: 0 })
    expect(tracesOf(name)).toEqual([])
    berthLab(name, 'up', ...small)
    rmSync(`/run/berth-lab/${name}`, { recursive: true })
    expect(berthLab(name, 'up', ...small)).toMatchObject({ status: 0, err: '' })
    berthLab(name, 'down')
    expect(tracesOf(name)).toEqual([])
  })

  test('one that is killed while it comes up is removed whole', async () => {
    const up = spawn('./berth', ['lab', 'up', '--name', name, ...small], { stdio: 'ignore' })
    await until('something of it', () => (tracesOf(name).length > 4 ? true : undefined))
    up.kill('SIGKILL')
    expect(berthLab(name, 'down')).toMatchObject({ status: 0 })
    expect(tracesOf(name)).toEqual([])
  })

  test('two who remove it at once do not stop each other half-way', async () => {
    berthLab(name, 'up', ...small)
    const down = async (): Promise<unknown> => {
      const [status] = await once(spawn('./berth', ['lab', 'down', '--name', name]), 'exit')
      return status
    }
    expect(await Promise.all([down(), down(), down()])).toEqual([0, 0, 0])
    expect(tracesOf(name)).toEqual([])
  })

  test('a pid that was given to another program since is not ended', () => {
    berthLab(name, 'up', ...small)
    const bystander = spawn('sleep', ['60'], { stdio: 'ignore' })
    const noted = JSON.parse(readFileSync(file, 'utf8'))
    const stranger = { role: 'x', machine: 'node-1', pid: bystander.pid, since: '1' }
    writeFileSync(file, JSON.stringify({ ...noted, tasks: [...noted.tasks, stranger] }))
    berthLab(name, 'down')
    expect(tracesOf(name)).toEqual([])
    expect(() => process.kill(bystander.pid ?? 0, 0)).not.toThrow()
    bystander.kill()
  })

  test('who is not root is told so', () => {
    const nobody = ['setpriv', '--reuid', '65534', '--clear-groups', process.execPath]
    const { status, err } = run([...nobody, 'src/main.ts', 'lab', 'up'])
    expect({ status, err }).toEqual({
      status: 1,
      err: 'berth: a lab needs root to create network namespaces; run it with sudo\n',
    })
  })
})
