// Is an image archive what a container runtime loads, and does the program in it run? Opened, checked
// by its own digests, and started in its own file system; for the other processor under emulation.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'

type Blob = { readonly digest: string; readonly size: number }
type Json = Readonly<Record<string, unknown>>
type Component = { readonly name: string; readonly version: string }

const release = inject('release')
const work = mkdtempSync(join(tmpdir(), 'berth-images-'))
const json = (path: string) => JSON.parse(readFileSync(path, 'utf8'))
const ran = (program: string, args: readonly string[], cwd = work): string => {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${error?.message ?? stderr}`)
  return stdout
}

const containerfile = readFileSync('Containerfile', 'utf8')
const said = (word: string): string =>
  new RegExp(`^${word} (.*)$`, 'm').exec(
    containerfile.slice(containerfile.indexOf('scratch')),
  )?.[1] ?? ''

/** By npm's own list. */
function packagesIn(folder: string): string[] {
  const { packages } = json(join(folder, 'node_modules/.package-lock.json'))
  return Object.entries(packages as Record<string, { version: string }>)
    .filter(([path]) => existsSync(join(folder, path)))
    .map(([path, { version }]) => `${path.replace(/^.*node_modules\//, '')} ${version}`)
}

afterAll(() => rmSync(work, { recursive: true }))

test('the checksums are those of the files, and name all of them', () => {
  ran('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], release)
  const sums = readFileSync(join(release, 'SHA256SUMS'), 'utf8')
  const names = readdirSync(release).filter((name) => name !== 'SHA256SUMS')
  expect(sums.split('\n').flatMap((line) => line.split('  ')[1] ?? [])).toEqual(names)
})

const own = process.arch === 'arm64' ? 'arm64' : 'amd64'
const machines = { amd64: 'X86-64', arm64: 'AArch64' }

describe.skipIf(!inject('hasImages')).each(['amd64', 'arm64'] as const)(
  'the image for %s',
  (name) => {
    const layout = join(work, name)
    const root = join(work, `${name}-root`)
    const blob = ({ digest }: Blob): string =>
      join(layout, 'blobs/sha256', digest.replace('sha256:', ''))
    let config: Json

    beforeAll(() => {
      for (const folder of [layout, root]) mkdirSync(folder)
      ran('tar', ['xf', join(release, `berth-0.1.0-${name}.tar`), '-C', layout])
    })

    test('every blob is what its name says, and podman, docker and containerd find the same', () => {
      for (const digest of readdirSync(join(layout, 'blobs/sha256'))) {
        const bytes = readFileSync(join(layout, 'blobs/sha256', digest))
        expect(createHash('sha256').update(bytes).digest('hex')).toBe(digest)
      }
      const { manifests } = json(join(layout, 'index.json'))
      expect(manifests).toMatchObject([
        {
          platform: { architecture: name, os: 'linux' },
          annotations: { 'io.containerd.image.name': 'docker.io/library/berth:0.1.0' },
        },
      ])
      const manifest = json(blob(manifests[0]))
      expect(readFileSync(blob(manifests[0]))).toHaveLength(manifests[0].size)
      const [layer, ...others] = manifest.layers as Blob[]
      expect(others).toEqual([])
      config = json(blob(manifest.config))
      expect(config).toMatchObject({ architecture: name, rootfs: { diff_ids: [layer?.digest] } })
      const [docker] = json(join(layout, 'manifest.json'))
      expect([
        docker.RepoTags,
        join(layout, docker.Config),
        join(layout, docker.Layers[0]),
      ]).toEqual([['berth:0.1.0'], blob(manifest.config), blob(layer as Blob)])
      ran('tar', ['xf', blob(layer as Blob), '-C', root])
      if (name === own) return
      const found = ran('sh', [join(import.meta.dirname, 'qemu.sh')]).trim()
      copyFileSync(found, join(root, 'emulator'))
    })

    test('it starts what the Containerfile starts, as the same user', () => {
      expect(config['config']).toEqual({
        Entrypoint: JSON.parse(said('ENTRYPOINT')),
        User: said('USER'),
        WorkingDir: said('WORKDIR'),
        Env: said('ENV').split(' '),
      })
    })

    test('it has Node and what Node needs, for this processor, and no shell', () => {
      expect(readdirSync(join(root, 'bin'))).toEqual(['node'])
      const libraries = readdirSync(join(root, 'lib'))
      for (const file of ['bin/node', ...libraries.map((library) => `lib/${library}`)]) {
        const read = ran('readelf', ['--wide', '--file-header', '--dynamic', join(root, file)])
        expect(read, file).toContain(machines[name])
        const needed = [...read.matchAll(/\(NEEDED\).*\[(.*)\]/g)].map(([, library]) => library)
        expect(libraries, file).toEqual(expect.arrayContaining(needed))
      }
    })

    test('its list of contents is the one beside it, and names what is inside', () => {
      const text = readFileSync(join(root, 'berth/sbom.cdx.json'), 'utf8')
      expect(text).toBe(readFileSync(join(release, `berth-0.1.0-${name}.cdx.json`), 'utf8'))
      const { components } = JSON.parse(text) as { components: readonly Component[] }
      const listed = components.map((one) => `${one.name} ${one.version}`)
      expect(listed).toEqual(expect.arrayContaining(packagesIn(join(root, 'berth'))))
      const versionOf = (what: string) => components.find((one) => one.name === what)?.version
      expect(run('-p', 'process.versions.node').trim()).toBe(versionOf('node'))
      const libc = readFileSync(join(root, 'lib/libc.so.6'), 'latin1')
      expect(libc).toContain(`(Debian GLIBC ${versionOf('libc6')})`)
    })

    test('the program runs, with the library that it calls the kernel by', () => {
      expect(run('/berth/dist/main.js', 'version')).toContain('berth 0.1.0')
      const koffi = "require('/berth/node_modules/koffi').load('libc.so.6')"
      const [user = ''] = said('USER').split(':')
      expect(run('-p', `${koffi}.func('int getuid()')()`).trim()).toBe(user)
    })

    /** Nothing of this machine but its kernel. */
    function run(...args: readonly string[]): string {
      const user = `--userspec=${said('USER')}`
      return ran('chroot', [
        user,
        root,
        ...(name === own ? [] : ['/emulator']),
        '/bin/node',
        ...args,
      ])
    }
  },
)
