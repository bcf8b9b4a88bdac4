// Where do the image's libraries come from when no registry is reached? From Debian's archive: its
// signature is checked, then every hash below it.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fetched, run, sha256 } from './run.ts'

const suite = 'bookworm'
const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg'
/** What Node is linked with comes in these. */
const packages = ['libc6', 'libgcc-s1', 'libstdc++6']

type Listed = { readonly entry: string; readonly path: string; readonly hash: string }

/** The one that this machine installs from. */
export function mirror(): string {
  const asked = ['indextargets', '--format', '$(REPO_URI)', 'Label: Debian', 'Component: main']
  const [uri = ''] = run('apt-get', asked).split('\n')
  if (uri === '') throw new Error('apt knows no mirror of Debian: run apt-get update')
  return uri.replace(/\/$/, '')
}

/** Signed; names all that the mirror has. */
export const listing = (): string => `${mirror()}/dists/${suite}/InRelease`

/** Unpacks the libraries into `root`; answers their entries, as dpkg keeps them. */
export async function unpackLibraries(architecture: string, root: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'berth-debian-'))
  try {
    const index = await signedIndex(architecture, folder)
    const listed = packages.map((name) => entryOf(index, name))
    for (const { path, hash } of listed) {
      const file = join(folder, 'package.deb')
      writeFileSync(file, checked(await fetched(`${mirror()}/${path}`), path, hash))
      run('dpkg-deb', ['--extract', file, root])
    }
    return listed.map(({ entry }) => entry).join('\n\n')
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function signedIndex(architecture: string, folder: string): Promise<string> {
  if (!existsSync(keyring)) {
    throw new Error(`${keyring} is missing: install the package debian-archive-keyring`)
  }
  const signed = join(folder, 'InRelease')
  writeFileSync(signed, await fetched(listing()))
  run('gpgv', ['--quiet', '--keyring', keyring, '--output', join(folder, 'Release'), signed])
  const release = run('cat', [join(folder, 'Release')])
  const path = `main/binary-${architecture}/Packages.xz`
  const [, hash = ''] = new RegExp(`^ ([0-9a-f]{64}) +\\d+ ${path}$`, 'm').exec(release) ?? []
  const file = join(folder, 'Packages.xz')
  writeFileSync(file, checked(await fetched(`${mirror()}/dists/${suite}/${path}`), path, hash))
  return run('xz', ['--decompress', '--stdout', file])
}

function entryOf(index: string, name: string): Listed {
  const [entry] = index.split('\n\n').filter((one) => one.startsWith(`Package: ${name}\n`))
  const field = (key: string) => new RegExp(`^${key}: (.*)$`, 'm').exec(entry ?? '')?.[1] ?? ''
  if (entry === undefined) throw new Error(`Debian ${suite} has no ${name}`)
  return { entry, path: field('Filename'), hash: field('SHA256') }
}

function checked(bytes: Uint8Array, what: string, hash: string): Uint8Array {
  const is = sha256(bytes)
  if (is !== hash) throw new Error(`${what} has the hash ${is}, not ${hash}`)
  return bytes
}
