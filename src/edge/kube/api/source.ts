// Where does a credential come from? From the configuration, or from a file that may be replaced.
import { readFile } from 'node:fs/promises'
import { faultFrom } from './fault.ts'

export type Source = { readonly text: string } | { readonly file: string }

export async function textIn(source: Source): Promise<string> {
  if ('text' in source) return source.text
  try {
    return await readFile(source.file, 'utf8')
  } catch (error) {
    throw faultFrom(error, 'credentials')
  }
}
