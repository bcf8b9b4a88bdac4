// Was there a release? All of it where Debian's mirror is reached and kubectl can be built; a line for
// each part says so or why not.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import type { TestProject } from 'vitest/node'
import { listing } from '../../deploy/release/debian.ts'
import { fetched } from '../../deploy/release/run.ts'
import { findKubectl } from '../kubectl/kubectl.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder. */
    release: string
    hasImages: boolean
  }
}

async function whyNoImages(): Promise<string | undefined> {
  if (process.platform !== 'linux') return 'no Linux'
  // They are run in a file system of their own.
  if (process.geteuid?.() !== 0) return 'not root'
  try {
    await fetched(listing())
    return undefined
  } catch (error) {
    return String(error)
  }
}

export async function setup(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), 'berth-release-'))
  const kubectl = findKubectl()
  const whyNoManifest = 'why' in kubectl ? kubectl.why : undefined
  const whyNot = { manifest: whyNoManifest, images: await whyNoImages() }
  const parts = Object.entries(whyNot).filter(([, why]) => why === undefined)
  const only = ['package', 'chart', ...parts.map(([part]) => part)].join(',')
  if (process.env['BERTH_REQUIRE_ALL'] === '1' && parts.length < 2) {
    throw new Error(`BERTH_REQUIRE_ALL=1 asks for every part: ${JSON.stringify(whyNot)}`)
  }
  const release = join(import.meta.dirname, '../../deploy/release/release.ts')
  const out = join(folder, 'release')
  const args = [release, '--out', out, '--only', only]
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  project.provide('release', out)
  project.provide('hasImages', whyNot.images === undefined)
  return () => {
    rmSync(folder, { recursive: true })
    for (const [part, why] of Object.entries(whyNot)) {
      process.stdout.write(`${part}: ${why === undefined ? 'ran' : `not run: ${why}`}\n`)
    }
  }
}
