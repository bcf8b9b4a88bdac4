// What stands for an object in memory? Little, since there are many: the rest is shared, or lies
// packed with its bytes.
import type { Block, Held } from './block.ts'
import { partOf, viewPart } from './packed.ts'
import type { Common } from './shared.ts'
import type { Stored } from './stored.ts'

type Named = Pick<Stored, 'name' | 'revision' | 'lengthBytes'>

/** Its bytes are read when somebody asks for them, and so is its uid, which lies behind them. It is
 * no plain record, whose fields could be spread into another: storedOf makes one. */
export class Kept implements Stored, Held<Kept> {
  readonly common: Common
  readonly name: string
  readonly revision: number
  readonly lengthBytes: number
  block: Block<Kept> | undefined = undefined
  start = 0
  sizeBytes = 0

  constructor({ name, revision, lengthBytes }: Named, of: Common) {
    this.common = of
    this.name = name
    this.revision = revision
    this.lengthBytes = lengthBytes
  }

  get resource(): string {
    return this.common.resource
  }

  get namespace(): string {
    return this.common.namespace
  }

  get uid(): string {
    const { buffer, byteOffset, length } = viewPart<Kept>(this, this.lengthBytes)
    return Buffer.from(buffer, byteOffset, length).toString('utf8')
  }

  get bytes(): Uint8Array {
    return partOf<Kept>(this, this.lengthBytes)
  }

  copyInto(target: Uint8Array, at: number, from: number): void {
    target.set(viewPart<Kept>(this, from, this.lengthBytes), at)
  }

  get labels(): Stored['labels'] {
    return this.common.labels
  }

  get fields(): Stored['fields'] {
    return this.common.fields
  }

  get owners(): Stored['owners'] {
    return this.common.owners
  }
}

/** As an object is held: its bytes, then its uid. */
export const partsOf = ({ bytes, uid }: Pick<Stored, 'bytes' | 'uid'>): readonly Uint8Array[] => [
  bytes,
  Buffer.from(uid, 'utf8'),
]

export const storedOf = (kept: Kept): Stored => ({
  resource: kept.resource,
  namespace: kept.namespace,
  name: kept.name,
  uid: kept.uid,
  revision: kept.revision,
  bytes: kept.bytes,
  lengthBytes: kept.lengthBytes,
  labels: kept.labels,
  fields: kept.fields,
  owners: kept.owners,
})
