// Which manifests does the user name? Those of -f, and those that kustomize builds for -k.
import { readKustomization } from '../../edge/manifests/kustomize.ts'
import type { Read } from '../../edge/manifests/manifest.ts'
import { readManifests } from '../../edge/manifests/readManifests.ts'
import type { Io } from './io.ts'
import { type Arguments, type Option, textsOf } from './verb.ts'

export type Given = { readonly files: readonly string[]; readonly kustomized: readonly string[] }

export const givenOptions = {
  file: {
    type: 'string',
    short: 'f',
    multiple: true,
    value: 'FILE|DIR',
    help: 'manifest file, directory (with subdirectories), or - for standard input',
  },
  kustomize: {
    type: 'string',
    short: 'k',
    multiple: true,
    value: 'DIR',
    help: "kustomize directory, built with 'kubectl kustomize'",
  },
} as const satisfies Record<string, Option>

export const givenIn = (args: Arguments): Given => ({
  files: textsOf(args, 'file'),
  kustomized: textsOf(args, 'kustomize'),
})

export const isGiven = ({ files, kustomized }: Given): boolean =>
  files.length + kustomized.length > 0

export async function* readGiven({ files, kustomized }: Given, io: Io): AsyncGenerator<Read> {
  yield* readManifests(files, io.stdin)
  const { env, signal } = io
  for (const folder of kustomized) yield* readKustomization(folder, { env, signal })
}
