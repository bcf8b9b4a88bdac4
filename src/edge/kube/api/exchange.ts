// How is one request sent, and what comes back first? HTTP/1.1 on one connection.
import type { ApiRequest } from './client.ts'
import type { Connection } from './connection.ts'
import type { Credential } from './credentials.ts'
import type { Deadline } from './deadline.ts'
import type { HttpConnection } from './http/httpConnection.ts'
import type { HttpConnections } from './http/httpConnections.ts'
import type { Incoming } from './http/incoming.ts'
import { requestText } from './http/requestText.ts'

type Exchange = {
  readonly connection: Connection
  readonly connections: HttpConnections
  readonly request: ApiRequest
  /** The headers of every request. */
  readonly headers: string
  readonly deadline: Deadline
}

/** The head of the answer, whatever its code. A 401 is retried if the credential can be renewed. */
export async function exchange(parts: Exchange): Promise<Incoming> {
  const { credentials } = parts.connection
  const credential = await credentials.current()
  const answer = await sent(parts, credential)
  if (answer.head.code !== 401) return answer
  try {
    const renewed = await credentials.renewed(credential)
    if (renewed === undefined) return answer
    answer.drop()
    parts.connections.dropIdle()
    return await sent(parts, renewed)
  } catch (error) {
    answer.drop()
    throw error
  }
}

async function sent(parts: Exchange, credential: Credential): Promise<Incoming> {
  const { connections, request, deadline } = parts
  const text = requestText(parts, credential)
  for (;;) {
    const { connection, isUsed } = await connections.take(deadline)
    // Aborted in the meantime: a write must no longer be sent.
    if (deadline.fault !== undefined) {
      connection.destroy()
      throw deadline.fault
    }
    try {
      return await answered(connection, text, deadline)
    } catch (error) {
      // Closed while idle, or the route is gone: the other idle connections are affected too.
      if (isUsed) connections.dropIdle()
      // A read can safely be repeated.
      const mayRepeat = request.method === 'GET' && isUsed && deadline.fault === undefined
      if (!mayRepeat) throw error
    }
  }
}

const answered = (connection: HttpConnection, text: string, deadline: Deadline) =>
  new Promise<Incoming>((resolve, reject) => {
    deadline.onOver(connection.ask(text, { answered: resolve, failed: reject }))
  })
