// How do the suites run kubectl? Unmodified, each suite in a namespace and a home of its own.
import { execFile, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, inject, onTestFinished } from 'vitest'
import { until } from '../kube/waits.ts'

export const path = inject('kubectl')

export type Said = { readonly code: number; readonly out: string; readonly err: string }
export type How = {
  /** JSON, or text as it is. */
  readonly input?: unknown
  /** What becomes of the file that kubectl opens. */
  readonly editor?: string
  readonly env?: Readonly<Record<string, string>>
}

export class Kubectl {
  readonly namespace: string
  #home: string | undefined

  constructor(namespace: string) {
    this.namespace = namespace
  }

  /** Made when it is needed: a suite that is left out leaves nothing behind. */
  get home(): string {
    this.#home ??= mkdtempSync(join(tmpdir(), 'berth-kubectl-'))
    return this.#home
  }

  /** Whatever comes of it. */
  run(args: readonly string[], { input, editor, env = {} }: How = {}): Promise<Said> {
    const all = ['-n', this.namespace, ...args]
    const how = { env: this.#environment({ ...env, KUBE_EDITOR: editor }), cwd: this.home }
    return new Promise((resolve) => {
      const child = execFile(path, all, how, (error, out, err) => {
        const code = typeof error?.code === 'number' ? error.code : error === null ? 0 : -1
        resolve({ code, out, err })
      })
      const text = typeof input === 'string' ? input : JSON.stringify(input)
      child.stdin?.end(input === undefined ? '' : text)
    })
  }

  /** What it printed; it must have succeeded. */
  async ok(args: readonly string[], how?: How): Promise<string> {
    const { code, out, err } = await this.run(args, how)
    if (code !== 0) throw new Error(`kubectl ${args.join(' ')} failed: ${err}`)
    return out
  }

  /** In words, where no argument has a space. */
  do = (words: string, how?: How): Promise<string> => this.ok(words.split(' '), how)

  /** What it said; it must have failed. */
  async refused(words: string, how?: How): Promise<string> {
    const { code, out, err } = await this.run(words.split(' '), how)
    if (code === 0) throw new Error(`kubectl ${words} was accepted: ${out}`)
    return err
  }

  apply = (...objects: readonly object[]): Promise<string> =>
    this.ok(['apply', '-f', '-'], {
      input: objects.map((one) => JSON.stringify(one)).join('\n---\n'),
    })

  write(name: string, text: string): string {
    const file = join(this.home, name)
    writeFileSync(file, text)
    return file
  }

  /** While the test runs; ends once `first` was said. */
  async watch(words: string, first: RegExp | undefined): Promise<() => string> {
    const all = ['-n', this.namespace, ...words.split(' ')]
    const child = spawn(path, all, { env: this.#environment(), cwd: this.home })
    onTestFinished(() => {
      child.kill('SIGKILL')
    })
    let out = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        out += chunk
      })
    }
    if (first !== undefined) await said(() => out, first)
    return () => out
  }

  #environment(more: Readonly<Record<string, string | undefined>> = {}): NodeJS.ProcessEnv {
    const { PATH } = process.env
    return { PATH, HOME: this.home, KUBECONFIG: inject('kubeconfig'), TMPDIR: this.home, ...more }
  }
}

export const said = (out: () => string, what: RegExp): Promise<boolean> =>
  until(`${what} in ${out()}`, () => what.test(out()) || undefined)

/** For a whole suite. */
export function kubectlIn(namespace: string): Kubectl {
  const kubectl = new Kubectl(namespace)
  if (path === '') return kubectl
  beforeAll(() => kubectl.ok(['create', 'namespace', namespace]))
  afterAll(async () => {
    await kubectl.ok(['delete', 'namespace', namespace, '--wait=false'])
    rmSync(kubectl.home, { recursive: true, force: true, maxRetries: 5 })
  })
  return kubectl
}

export const rowsOf = (table: string): string[][] =>
  table
    .trimEnd()
    .split('\n')
    .map((line) => line.trim().split(/\s{2,}/))
