// Which warnings does the API server send? Headers `Warning: 299 - "text"`, RFC 7234 5.5.
import type { Head } from './http/head.ts'

export function warningsIn({ values }: Head): readonly string[] {
  return values('warning').flatMap((header) => {
    const [, quoted] = /^299 \S+ "((?:[^"\\]|\\.)*)"/.exec(header) ?? []
    return quoted === undefined ? [] : [quoted.replaceAll(/\\(.)/g, '$1')]
  })
}
