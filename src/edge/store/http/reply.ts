// What is a reply? A code, headers and a body, which is made while it is sent.
import type { Refused } from '../values/status.ts'
import { type Body, bytesBody } from './body.ts'
import { noPage } from './refusals.ts'

export type Reply = {
  readonly code: number
  readonly type: string
  readonly body: Body
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as Warning headers. */
  readonly warnings?: readonly string[]
}

export const json = 'application/json'
const plain = 'text/plain; charset=utf-8'

export const bytesReply = (code: number, bytes: Uint8Array): Reply => ({
  code,
  type: json,
  body: bytesBody(bytes),
})

export const jsonReply = (code: number, value: unknown): Reply =>
  bytesReply(code, Buffer.from(`${JSON.stringify(value)}\n`, 'utf8'))

export const textReply = (code: number, text: string): Reply => ({
  code,
  type: plain,
  body: bytesBody(Buffer.from(text, 'utf8')),
  headers: { 'X-Content-Type-Options': 'nosniff' },
})

export function refusal({ status }: Refused): Reply {
  if (status === noPage.status) return textReply(status.code, `${status.message}\n`)
  const wait = status.details?.retryAfterSeconds
  const headers = wait === undefined ? {} : { 'Retry-After': String(wait) }
  return { ...jsonReply(status.code, status), headers }
}
