// What is a file called that stands for an object? By the object's name, which may have 253 letters
// and has no tilde; a file's may have 255.
import { createHash } from 'node:crypto'

const most = 200

export const fileNameOf = (name: string): string =>
  name.length <= most
    ? name
    : `${name.slice(0, most / 2)}~${createHash('sha256').update(name).digest('hex')}`
