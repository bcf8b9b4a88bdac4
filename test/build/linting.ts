// `berth lint` on files that a test writes: what it finds, what it prints, how it ends.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { lintVerb } from '../../src/app/cli/lint/lintVerb.ts'
import type { LintFinding } from '../../src/core/policy/lint/lintFinding.ts'
import { newFolder } from './newFolder.ts'
import { nowhere } from './terminal.ts'

type Files = Readonly<Record<string, string | Uint8Array>>
export function folderOf(files: Files): string {
  const folder = newFolder()
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  return folder
}

type Run = {
  output?: string
  strict?: boolean
  isTerminal?: boolean
  stdin?: string
  ignore?: readonly string[]
}

export async function run(
  paths: readonly string[],
  { output, strict, isTerminal, stdin, ignore }: Run = {},
) {
  let out = ''
  async function* input() {
    yield stdin ?? ''
  }
  const io = {
    ...nowhere,
    stdin: input(),
    out: (text: string) => {
      out += text
    },
    err: (text: string) => {
      throw new Error(text)
    },
    isTerminal: isTerminal ?? false,
  }
  const exit = await lintVerb.run(
    {
      positionals: [],
      values: { file: paths, output, strict, ...(ignore && { ignore: [...ignore] }) },
    },
    io,
  )
  return { exit, out }
}

type Json = {
  schema: string
  findings: LintFinding[]
  summary: { errors: number; warnings: number; [key: string]: unknown }
}

/** The findings, with places relative to the folder. */
export async function lint(files: Files): Promise<Json & { exit: number }> {
  const folder = folderOf(files)
  const { exit, out } = await run([folder], { output: 'json' })
  return { exit, ...(JSON.parse(out.replaceAll(`${folder}/`, '')) as Json) }
}

/** On standard input, so that no line depends on where the folder is. */
export const lintText = async (texts: readonly string[], options: Run = {}): Promise<string> =>
  (await run(['-'], { ...options, stdin: texts.join('---\n') })).out
