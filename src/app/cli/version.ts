// Which version of Berth is this? The package says it, beside src/ and dist/ alike.
import { readFile } from 'node:fs/promises'

export async function readVersion(): Promise<string> {
  const file = new URL('../../../package.json', import.meta.url)
  const { version }: { version: string } = JSON.parse(await readFile(file, 'utf8'))
  return version
}
