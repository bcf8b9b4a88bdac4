// What if the disk does not take it? A clear refusal, reads go on, and writes again when they can.
import { spawn, spawnSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  chownSync,
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, inject, onTestFinished, test } from 'vitest'
import { folderAt } from '../../src/app/up/folder.ts'
import { newFolder } from '../build/newFolder.ts'
import { configMap, core, refusal, verbs } from '../kube/cluster.ts'
import { until } from '../kube/waits.ts'
import { attached, berth, berthWithout, newData, type Ran, startUp, type Up } from './berth.ts'
import { answerTo, asking, secureSocket } from './sockets.ts'

const asRoot = test.skipIf(!inject('mayAsRoot'))

/** A disk of its own. */
function newDisk(megabytes: number): string {
  const path = newFolder()
  const options = ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=700`, 'berth-test', path]
  expect(spawnSync('mount', options).status).toBe(0)
  onTestFinished(() => {
    spawnSync('umount', ['-l', path])
  })
  return path
}

const mapsOf = ({ api }: Pick<Up, 'api'>) => verbs(api, core('configmaps', 'default'))

/** Until not a byte more goes in; the answer makes room again. */
function fill(disk: string, name = 'filler'): () => void {
  const file = join(disk, name)
  const opened = openSync(file, 'w')
  for (const bytes of [4096, 1]) {
    try {
      for (;;) writeSync(opened, Buffer.alloc(bytes))
    } catch (error) {
      expect(error).toMatchObject({ code: 'ENOSPC' })
    }
  }
  closeSync(opened)
  return () => rmSync(file)
}

asRoot(
  'a full disk: a Status says so, reads and deletions go on, with room also writes',
  async () => {
    const disk = newDisk(24)
    // Its log is on that disk too.
    const folder = folderAt(join(disk, 'data'))
    const started = await berth('up', '--data', folder.path, '--port', '0', '--background')
    expect(started).toMatchObject({ status: 0, err: '' })
    const up = { ...(await attached(folder)), folder }
    const maps = mapsOf(up)
    await maps.create(configMap('before', { x: 'x'.repeat(100_000) }))
    for (let at = 0; at < 20; at++)
      await maps.create(configMap(`gone-${at}`, { x: 'x'.repeat(1000) }))
    expect(await readiness(up)).toBe('ok')
    const makeRoom = fill(disk)
    const refused = await until('it is full', () => refusedBy(up))
    expect(refused).toMatchObject({ code: 500, reason: 'InternalError' })
    expect(refused.message).toContain('berth.db: no space is left for it')
    expect(refused.message).toContain('Free space on its disk')
    for (let at = 0; at < 50; at++) await refusedBy(up)
    expect((await maps.get('before')).data?.['x']).toHaveLength(100_000)
    expect((await refusal(maps.get('refused-1'))).code).toBe(404)
    expect(await readiness(up)).toContain(
      '[-]storage failed: no space is left, only deletions work',
    )
    for (let at = 0; at < 10; at++) await maps.remove(`gone-${at}`)
    // Whatever room that made is taken again, and it is started anew.
    const makeMore = fill(disk, 'more')
    for (let at = 10; at < 15; at++) await maps.remove(`gone-${at}`)
    expect(await berth('down', '--data', folder.path)).toMatchObject({ status: 0 })
    const full = await startUp(folder)
    expect((await mapsOf(full).get('before')).data?.['x']).toHaveLength(100_000)
    for (let at = 15; at < 20; at++) await mapsOf(full).remove(`gone-${at}`)
    expect((await refusal(mapsOf(full).create(configMap('more')))).message).toContain('no space')
    await full.stop('SIGTERM')
    makeMore()
    makeRoom()
    const roomy = await startUp(folder)
    expect(await readiness(roomy)).toBe('ok')
    await mapsOf(roomy).create(configMap('after'))
    const names = (await mapsOf(roomy).list()).items.map(({ metadata }) => metadata.name)
    expect(names).toEqual(expect.arrayContaining(['before', 'after']))
    expect(names.filter((name) => name.startsWith('gone-'))).toEqual([])
    up.api.close()
    await roomy.stop('SIGTERM')
    const again = await startUp(folder)
    expect((await mapsOf(again).list()).items.map(({ metadata }) => metadata.name)).toEqual(names)
    await again.stop('SIGTERM')
  },
)

/** As a probe asks, without showing anything. */
async function readiness(up: Pick<Up, 'server' | 'folder'>): Promise<string> {
  const nobody = await secureSocket(up, { cert: undefined, key: undefined })
  const answer = await answerTo(nobody, asking('/readyz', 'GET', 'Connection: close\r\n'))
  return answer.split('\r\n\r\n')[1] ?? ''
}

let tries = 0

/** Fills what was left in the log of the database, until one is refused. */
async function refusedBy(up: Pick<Up, 'api'>) {
  tries += 1
  return mapsOf(up)
    .create(configMap(`refused-${tries}`, { x: 'x'.repeat(50_000) }))
    .then(
      () => undefined,
      async (error: unknown) => refusal(Promise.reject(error)),
    )
}

asRoot('a first start on a full disk, or any on a read-only one, says so in a line', async () => {
  const disk = newDisk(8)
  const kept = folderAt(join(disk, 'kept'))
  await (await startUp(kept)).stop('SIGTERM')
  const makeRoom = fill(disk)
  for (const way of [[], ['--background']])
    await refusedStart(join(disk, 'new'), way, /(?:room|space is) left/)
  expect(await berth('up', '--data', kept.path, '--port', '0', '--background')).toMatchObject({
    status: 0,
  })
  expect(await berth('down', '--data', kept.path)).toMatchObject({ status: 0 })
  makeRoom()
  expect(spawnSync('mount', ['-o', 'remount,ro', disk]).status).toBe(0)
  for (const name of ['kept', 'new']) {
    for (const way of [[], ['--background']]) {
      await refusedStart(join(disk, name), way, /cannot be written .*mount them read-write/)
    }
  }
  expect(spawnSync('mount', ['-o', 'remount,rw', disk]).status).toBe(0)
  await (await startUp(kept)).stop('SIGTERM')
})

asRoot("a folder that is somebody else's is refused, as it is and for one inside", async () => {
  const root = newFolder()
  chmodSync(root, 0o755)
  chownSync(root, 65_534, 65_534)
  for (const path of [root, join(root, 'data')]) {
    const args = ['up', '--data', path, '--port', '0']
    isRefusal(await berthWithout(['dac_override', 'fowner'], ...args), /cannot be written/)
  }
})

async function refusedStart(path: string, way: readonly string[], why: RegExp): Promise<void> {
  isRefusal(await berth('up', '--data', path, '--port', '0', ...way), why)
}

function isRefusal(ran: Ran, why: RegExp): void {
  expect(ran).toMatchObject({ status: 1, out: '' })
  expect(ran.err.trim().split('\n'), ran.err).toHaveLength(1)
  expect(ran.err).toMatch(/^berth: /)
  expect(ran.err).toMatch(why)
}

asRoot('what is acknowledged is on the disk, not only on its way', async () => {
  const trace = join(newFolder(), 'trace')
  const calls = ['-f', '-qq', '-e', 'trace=fsync,fdatasync', '-o', trace]
  writeFileSync(trace, '')
  const folder = newData()
  const up = await startUp(folder)
  const strace = spawn('strace', [...calls, '-p', `${up.pid}`], { stdio: 'ignore' })
  onTestFinished(() => {
    strace.kill('SIGINT')
  })
  const synced = (): number => readFileSync(trace, 'utf8').match(/sync\(\d+\) += 0/g)?.length ?? 0
  await until('it is looked at', async () => {
    await mapsOf(up).create({ metadata: { generateName: 'first-' } })
    return synced() > 0 ? true : undefined
  })
  const before = synced()
  for (let at = 0; at < 20; at++) await mapsOf(up).create(configMap(`m-${at}`))
  await until('all are written', () => (synced() - before >= 20 ? true : undefined))
  await up.stop('SIGTERM')
})

test('a file where the folder should be, and a folder that holds other things', async () => {
  const root = newFolder()
  writeFileSync(join(root, 'file'), '')
  await refusedStart(join(root, 'file'), [], /there is a file where a folder should be/)
  await refusedStart(join(root, 'file', 'below'), [], /there is a file where a folder should be/)
  const shared = folderAt(join(root, 'shared'))
  mkdirSync(shared.path)
  writeFileSync(join(shared.path, 'somebody-elses'), '')
  chmodSync(shared.path, 0o1777)
  await (await startUp(shared)).stop('SIGTERM')
  expect((statSync(shared.path).mode & 0o7777).toString(8)).toBe('1777')
  expect((statSync(shared.keys).mode & 0o777).toString(8)).toBe('600')
})

type Harm = readonly [title: string, harm: (file: string) => void, why: RegExp]

const harms: Harm[] = [
  [
    'cut in half',
    (file) => truncateSync(file, Math.floor(statSync(file).size / 8192) * 4096),
    /damaged/,
  ],
  ['emptied', (file) => truncateSync(file, 0), /it is empty/],
  ['overwritten in the middle', (file) => overwrite(file, 0.6), /damaged/],
  ['overwritten at its beginning', (file) => overwrite(file, 0), /not a file of Berth/],
  ['changed by hand', (file) => change(file, "UPDATE objects SET name = name || 'x'"), /damaged/],
  ['robbed of an object', (file) => change(file, 'DELETE FROM objects LIMIT 1'), /damaged/],
  [
    'of a newer version',
    (file) => change(file, 'PRAGMA user_version = 99'),
    /format 99.*newer version/,
  ],
  [
    'of another program',
    (file) => change(file, 'PRAGMA application_id = 7'),
    /not a file of Berth/,
  ],
  [
    'no database at all',
    (file) => writeFileSync(file, 'hello, world\n'.repeat(1000)),
    /not a file of/,
  ],
]

function overwrite(file: string, part: number): void {
  const opened = openSync(file, 'r+')
  const at = Math.floor((statSync(file).size * part) / 4096) * 4096
  writeSync(opened, Buffer.alloc(4096, 'x'), 0, 4096, at)
  closeSync(opened)
}

function change(file: string, sql: string): void {
  const database = new DatabaseSync(file)
  database.exec(sql.replace(' LIMIT 1', ' WHERE revision = (SELECT min(revision) FROM objects)'))
  database.close()
}

test('a file that is torn, changed, foreign or newer is refused, with what to do', async () => {
  const folder = newData()
  const up = await startUp(folder)
  for (let at = 0; at < 40; at++)
    await mapsOf(up).create(configMap(`m-${at}`, { x: 'x'.repeat(5_000) }))
  await up.stop('SIGTERM')
  const file = join(folder.path, 'berth.db')
  const [whole, backup] = [readFileSync(file), join(folder.path, '..', 'backup.db')]
  expect(await berth('backup', backup, '--data', folder.path)).toMatchObject({ status: 0 })
  for (const [title, harm, why] of harms) {
    writeFileSync(file, whole)
    harm(file)
    const harmed = readFileSync(file)
    const { status, err } = await berth('up', '--data', folder.path, '--port', '0')
    expect(`${title}: ${status}`).toBe(`${title}: 1`)
    expect(err.split('\n'), err).toHaveLength(2)
    expect(err, title).toMatch(why)
    expect(err, title).toContain('berth up --restore FILE --replace')
    // Whatever can still be saved from it is still there.
    expect(readFileSync(file).equals(harmed), title).toBe(true)
  }
  const restored = await startUp(folder, '--restore', backup, '--replace')
  expect((await mapsOf(restored).list()).items).toHaveLength(40)
  await restored.stop('SIGTERM')
})

test('a torn log loses what was not acknowledged, and no more', async () => {
  const folder = newData()
  const up = await startUp(folder)
  for (let at = 0; at < 20; at++) await mapsOf(up).create(configMap(`m-${at}`))
  await up.stop('SIGKILL')
  // What a disk may hold of a commit that never was.
  appendFileSync(join(folder.path, 'berth.db-wal'), Buffer.alloc(10_000, 'x'))
  const again = await startUp(folder)
  expect((await mapsOf(again).list()).items).toHaveLength(20)
  await again.stop('SIGTERM')
})

test('keys that are torn are refused, with what to do', async () => {
  const folder = newData()
  await (await startUp(folder)).stop('SIGTERM')
  for (const text of ['', '{"authorities":', '{}', 'null']) {
    writeFileSync(folder.keys, text)
    await refusedStart(
      folder.path,
      [],
      /does not hold certificates; move it away to have new ones made/,
    )
  }
  rmSync(folder.keys)
  const up = await startUp(folder)
  await mapsOf(up).list()
  await up.stop('SIGTERM')
})
