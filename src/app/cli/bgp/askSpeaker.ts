// What has the speaker on this node sent? Asked on its probe port, which only this node reaches.
import type { Parsed } from '../../../core/net/parsed.ts'
import type { ToldRoute } from '../../../core/policy/status/toldRoutes.ts'
import { Fields } from '../../../edge/kube/decode/fields.ts'

const patienceMs = 5_000

export async function askSpeaker(port: string): Promise<Parsed<readonly ToldRoute[]>> {
  const url = `http://127.0.0.1:${port}/told/bgp`
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(patienceMs) })
    if (!answer.ok)
      return { ok: false, why: `no speaker is at ${url}: the answer is ${answer.status}` }
    return { ok: true, value: new Fields(await answer.json(), []).each('routes').map(routeIn) }
  } catch (error) {
    const why = error instanceof Error ? String(error.cause ?? error.message) : String(error)
    return { ok: false, why: `no speaker answers at ${url}: ${why}` }
  }
}

const optional = (route: Fields, name: 'med' | 'prepend' | 'endpoints') => {
  const value = route.number(name)
  return value === undefined ? {} : { [name]: value }
}

const routeIn = (route: Fields): ToldRoute => ({
  prefix: route.text('prefix'),
  node: route.text('node'),
  peer: route.text('peer'),
  nextHop: route.text('nextHop'),
  localPref: route.number('localPref'),
  communities: route.texts('communities'),
  ...optional(route, 'med'),
  ...optional(route, 'prepend'),
  ...optional(route, 'endpoints'),
})
