// Do plan and lint say the same of a cluster and of its export?
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { berth as inProcess } from '../build/terminal.ts'
import { newData, startUp } from './berth.ts'

const berth = (...args: readonly string[]) => inProcess(args)

const told = (out: string): unknown =>
  JSON.parse(out)
    .findings.map(({ code, object, field, message }: Record<string, string>) =>
      [code, object, field, message].join(' '),
    )
    .sort()

test('an export gives the answers of the cluster, again after a deletion', async () => {
  const { folder, api } = await startUp(newData(), '--with', 'examples/cluster')
  const at = ['--kubeconfig', folder.kubeconfig]
  const exported = join(folder.path, '..', 'exported')
  const alike = async (): Promise<void> => {
    expect(await berth('export', exported, ...at)).toMatchObject({ exit: 0, err: '' })
    const live = await berth('lint', '--live', ...at, '-o', 'json')
    const files = await berth('lint', '-f', exported, '-o', 'json')
    expect(told(files.out)).toEqual(told(live.out))
    expect(files.exit).toBe(live.exit)
    const change = ['plan', '-f', 'examples/change']
    const onLive = await berth(...change, '--live', ...at)
    expect(await berth(...change, '--against', exported)).toEqual(onLive)
  }
  await alike()
  await api.call({ method: 'DELETE', path: '/api/v1/namespaces/shop/services/web' })
  await alike()
})

test('a folder of somebody else is refused', async () => {
  const { folder } = await startUp(newData())
  const other = join(folder.path, '..')
  writeFileSync(join(other, 'notes'), '')
  const { exit, err } = await berth('export', other, '--kubeconfig', folder.kubeconfig)
  expect(err).toBe(`berth: ${other} is not empty and no export: name another folder\n`)
  expect(exit).toBe(1)
  rmSync(join(other, 'notes'))
})
