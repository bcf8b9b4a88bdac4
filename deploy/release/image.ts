// What is in an image archive? What the Containerfile puts into the image, made without a registry, in
// the layout that podman, docker and containerd load.
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { sbomOf } from '../image/sbom.ts'
import { unpackLibraries } from './debian.ts'
import { archive, run, sha256, sha256Of } from './run.ts'

export type Architecture = 'amd64' | 'arm64'
type Image = {
  readonly architecture: Architecture
  readonly version: string
  /** The clone, with dist/ built. */
  readonly root: string
  /** Empty, and removed by the caller. */
  readonly work: string
}

const npmNames = { amd64: 'x64', arm64: 'arm64' } as const
const libraries = /^(?:ld-linux-.*|lib(?:c|m|dl|pthread|gcc_s|stdc\+\+))\.so\.\d+$/
const copied = ['LICENSE', 'deploy/crds', 'deploy/openapi', 'deploy/embedded', 'dist']

/** Writes the archive to `path`; answers the list of what is inside. */
export async function writeImage(image: Image, path: string): Promise<string> {
  const files = join(image.work, 'files')
  const debian = join(image.work, 'debian')
  const berth = join(files, 'berth')
  mkdirSync(berth, { recursive: true })
  const status = await unpackLibraries(image.architecture, debian)
  copyLibraries(debian, files)
  install(image, berth)
  mkdirSync(join(files, 'bin'))
  const node = `node_modules/node-linux-${npmNames[image.architecture]}`
  renameSync(join(berth, node, 'bin/node'), join(files, 'bin/node'))
  rmSync(join(berth, node), { recursive: true })
  for (const name of copied) {
    cpSync(join(image.root, name), join(berth, name), { recursive: true, filter: isShipped })
  }
  const sbom = `${JSON.stringify(sbomOf(berth, status), undefined, 2)}\n`
  writeFileSync(join(berth, 'sbom.cdx.json'), sbom)
  pack(image, files, path)
  return sbom
}

const isShipped = (path: string): boolean => !/\.(?:tsbuildinfo|go|ts)$|README\.md$/.test(path)

/** The loader's place differs from processor to processor; the other does no harm. */
function copyLibraries(debian: string, files: string): void {
  for (const place of ['lib', 'lib64']) mkdirSync(join(files, place))
  for (const base of ['lib', 'usr/lib']) {
    const [folder] = readdirSync(join(debian, base)).filter((name) => name.endsWith('-linux-gnu'))
    if (folder === undefined) continue
    for (const name of readdirSync(join(debian, base, folder))) {
      if (!libraries.test(name)) continue
      const from = join(debian, base, folder, name)
      copyFileSync(from, join(files, 'lib', name))
      if (name.startsWith('ld-')) copyFileSync(from, join(files, 'lib64', name))
    }
  }
}

/** Every package has to be what the lock says, and runs no script. */
function install({ architecture, root }: Image, berth: string): void {
  const { devDependencies: _, ...own } = readJson(join(root, 'package.json'))
  const lock = readJson(join(root, 'package-lock.json'))
  const all = Object.entries(lock['packages'] as Record<string, Record<string, unknown>>)
  // Without what only builds and tests: some npms ask for every variant of it.
  const packages = Object.fromEntries(
    all
      .filter(([, { dev, devOptional }]) => dev !== true && devOptional !== true)
      .map(([path, { devDependencies: __, ...entry }]) => [path, entry]),
  )
  writeFileSync(join(berth, 'package.json'), `${JSON.stringify(own, undefined, 2)}\n`)
  writeFileSync(join(berth, 'package-lock.json'), JSON.stringify({ ...lock, packages }))
  const cpu = `--cpu=${npmNames[architecture]}`
  run('npm', ['ci', '--ignore-scripts', '--os=linux', '--libc=glibc', cpu], berth)
  rmSync(join(berth, 'package-lock.json'))
}

const readJson = (path: string): Record<string, unknown> => JSON.parse(readFileSync(path, 'utf8'))

function pack({ architecture, version, work }: Image, files: string, path: string): void {
  const layout = join(work, 'layout')
  const blobs = join(layout, 'blobs/sha256')
  mkdirSync(blobs, { recursive: true })
  const layer = join(work, 'layer.tar')
  archive(layer, files, readdirSync(files).sort())
  const layerHash = sha256Of(layer)
  renameSync(layer, join(blobs, layerHash))
  const put = (value: object): { digest: string; size: number } => {
    const text = JSON.stringify(value)
    writeFileSync(join(blobs, sha256(text)), text)
    return { digest: `sha256:${sha256(text)}`, size: Buffer.byteLength(text) }
  }
  const oci = 'application/vnd.oci.image'
  const config = put({
    architecture,
    os: 'linux',
    config: {
      User: '65534:65534',
      Env: ['PATH=/bin', 'HOME=/', 'NODE_ENV=production'],
      Entrypoint: ['node', 'dist/main.js'],
      WorkingDir: '/berth',
    },
    rootfs: { type: 'layers', diff_ids: [`sha256:${layerHash}`] },
  })
  const { size } = statSync(join(blobs, layerHash))
  const layers = [{ mediaType: `${oci}.layer.v1.tar`, digest: `sha256:${layerHash}`, size }]
  const manifest = put({
    schemaVersion: 2,
    mediaType: `${oci}.manifest.v1+json`,
    config: { mediaType: `${oci}.config.v1+json`, ...config },
    layers,
  })
  const name = `docker.io/library/berth:${version}`
  const annotations = {
    'io.containerd.image.name': name,
    'org.opencontainers.image.ref.name': version,
  }
  const platform = { architecture, os: 'linux' }
  const entry = { mediaType: `${oci}.manifest.v1+json`, ...manifest, annotations, platform }
  const write = (file: string, value: unknown) =>
    writeFileSync(join(layout, file), JSON.stringify(value))
  write('oci-layout', { imageLayoutVersion: '1.0.0' })
  write('index.json', { schemaVersion: 2, manifests: [entry] })
  // For those that know only docker's own layout.
  const inside = (digest: string) => `blobs/sha256/${digest.slice('sha256:'.length)}`
  const Layers = [inside(`sha256:${layerHash}`)]
  write('manifest.json', [
    { Config: inside(config.digest), RepoTags: [`berth:${version}`], Layers },
  ])
  archive(path, layout, readdirSync(layout).sort())
}
