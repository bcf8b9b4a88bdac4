// What is inside the image? A CycloneDX list of the packages that npm installed, with the hashes that
// it verified, of Node with all that Node contains, and of the libraries that it is linked with.
// `node deploy/image/sbom.ts FOLDER [DPKG-STATUS]` in the Containerfile: the folder of node_modules,
// and where Debian lists its packages. The same input gives the same bytes.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'

type Installed = {
  readonly version: string
  readonly integrity?: string
  readonly license?: string
}
type Component = {
  readonly type: 'application' | 'library' | 'platform'
  readonly name: string
  readonly version: string
  readonly purl?: string
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[]
  readonly licenses?: readonly { readonly expression: string }[]
  readonly components?: readonly Component[]
}

/** The ones that the Containerfile copies, by the packages that they come in. */
const debianPackages = ['libc6', 'libgcc-s1', 'libstdc++6']

const read = (path: string): string => readFileSync(path, 'utf8')

/** Without what was removed after npm installed it. */
function packagesIn(folder: string): readonly Component[] {
  const lock = JSON.parse(read(join(folder, 'node_modules', '.package-lock.json')))
  const { packages } = lock as { packages: Readonly<Record<string, Installed>> }
  return Object.entries(packages)
    .filter(([path]) => existsSync(join(folder, path)))
    .map(([path, installed]) => packageAt(path, installed))
}

function packageAt(path: string, { version, integrity = '', license }: Installed): Component {
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
  if (!integrity.startsWith('sha512-')) throw new Error(`${name} ${version}: nothing was verified`)
  const content = Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex')
  return {
    type: 'library',
    name,
    version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    hashes: [{ alg: 'SHA-512', content }],
    ...(license === undefined ? {} : { licenses: [{ expression: license }] }),
  }
}

/** With OpenSSL and the others, whose faults are Node's too. */
function node(): Component {
  const { node: version, modules: _, napi: __, ...contained } = process.versions
  const components = Object.entries(contained).map(([name, version = '']): Component => {
    return { type: 'library', name, version }
  })
  const purl = `pkg:generic/node@${version}`
  return { type: 'platform', name: 'node', version, purl, components: components.sort(byName) }
}

function librariesIn(status: string): readonly Component[] {
  const versions = new Map(
    status.split('\n\n').map((entry) => [fieldOf(entry, 'Package'), fieldOf(entry, 'Version')]),
  )
  return debianPackages.map((name) => {
    const version = versions.get(name)
    if (version === undefined) throw new Error(`the base has no ${name}`)
    const purl = `pkg:deb/debian/${name.replaceAll('+', '%2B')}@${version.replaceAll('+', '%2B')}`
    return { type: 'library', name, version, purl }
  })
}

const fieldOf = (entry: string, name: string): string | undefined =>
  new RegExp(`^${name}: (.*)$`, 'm').exec(entry)?.[1]

const byName = (one: Component, other: Component): number =>
  `${one.name} ${one.version}` < `${other.name} ${other.version}` ? -1 : 1

export function sbomOf(folder: string, dpkgStatus = ''): object {
  const own = JSON.parse(read(join(folder, 'package.json'))) as Installed & {
    readonly name: string
  }
  const component: Component = { type: 'application', name: own.name, version: own.version }
  const libraries = dpkgStatus === '' ? [] : librariesIn(dpkgStatus)
  const components = [...packagesIn(folder), ...libraries, node()].sort(byName)
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component },
    components,
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [, , folder = '.', status] = process.argv
  const sbom = sbomOf(folder, status === undefined ? '' : read(status))
  process.stdout.write(`${JSON.stringify(sbom, undefined, 2)}\n`)
}
