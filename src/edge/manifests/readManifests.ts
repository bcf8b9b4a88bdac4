// Which objects do files, folders and standard input hold? What cannot be read stops nothing else.
import { createReadStream } from 'node:fs'
import { faultOf, filesAt, isKustomization } from './files.ts'
import { type Read, readDocument, unreadable } from './manifest.ts'
import { type Piece, Splitter } from './split.ts'
import { utf8, withoutMark } from './utf8.ts'

const standardInput = '-'

/** In the order of the paths, in a folder in that of names (by code units), then of the text. */
export async function* readManifests(
  paths: readonly string[],
  stdin: AsyncIterable<Uint8Array | string>,
): AsyncGenerator<Read> {
  for (const path of paths) {
    if (path === standardInput) yield* readStream(path, stdin)
    else yield* readPath(path)
  }
}

/** One text that is in memory already. */
export function parseManifests(text: string, file: string): Read[] {
  const splitter = new Splitter()
  const pieces = [...splitter.push(withoutMark(Buffer.from(text))), ...splitter.end()]
  return pieces.flatMap((piece) => readPiece(file, piece))
}

async function* readPath(path: string): AsyncGenerator<Read> {
  for await (const { file, why } of filesAt(path)) {
    if (why !== undefined) yield unreadable(file, 0, why)
    else if (isKustomization(file)) yield kustomization(file)
    else yield* readStream(file, createReadStream(file))
  }
}

/** Instructions to kustomize, which may leave out apiVersion and kind: no object of a cluster. */
const kustomization = (file: string): Read => ({
  ok: true,
  manifest: {
    json: { apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization' },
    source: { file, line: 1 },
    lineOf: () => 1,
  },
})

async function* readStream(
  file: string,
  chunks: AsyncIterable<Uint8Array | string>,
): AsyncGenerator<Read> {
  const splitter = new Splitter()
  for await (const part of withFault(utf8(chunks))) {
    // What was held is cut short: reading it as a whole document would be wrong.
    if (typeof part === 'string') return yield unreadable(file, 1, part)
    // No text has it; and what a device yields has no end.
    if (part.includes(0)) return yield unreadable(file, 1, 'not UTF-8 text')
    for (const piece of splitter.push(part)) yield* readPiece(file, piece)
  }
  for (const piece of splitter.end()) yield* readPiece(file, piece)
}

/** A failure to read is the last thing that comes, as text. */
async function* withFault(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array | string> {
  try {
    yield* chunks
  } catch (error) {
    yield faultOf(error)
  }
}

function readPiece(file: string, piece: Piece): Read[] {
  if ('why' in piece) return [unreadable(file, piece.line, piece.why)]
  return readDocument(file, piece.line, piece.text)
}
