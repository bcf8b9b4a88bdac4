// Do we answer as Kubernetes does? What kube-apiserver 1.36.3 answered is kept in recorded.json. With
// BERTH_RECORD_FROM (https://host:port) and BERTH_RECORD_TOKEN it is asked again: two ranges of cluster
// IPs as usual here, everything allowed, our definitions there, no controllers.
import { readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { custom, definitions, rules } from '../../../../test/build/recordedDefinitions.ts'
import {
  going,
  kinds,
  metadata,
  workloads,
  writing,
} from '../../../../test/build/recordedObjects.ts'
import {
  serviceChanges,
  serviceChecks,
  serviceKinds,
} from '../../../../test/build/recordedServices.ts'
import { type Json, post, type Step } from '../../../../test/build/recordedSteps.ts'
import { type Answer, WritesStand } from '../../../../test/build/writesStand.ts'

const file = join(import.meta.dirname, 'recorded.json')
const { BERTH_RECORD_FROM: server, BERTH_RECORD_TOKEN: token = '' } = process.env

const namespace = (group: string): string => `recorded-${group.replaceAll(' ', '-')}`

const groups: Readonly<Record<string, readonly Step[]>> = {
  metadata,
  writing,
  going,
  kinds,
  workloads,
  'service checks': serviceChecks,
  'service kinds': serviceKinds,
  'service changes': serviceChanges,
  custom,
  rules,
  definitions,
}

type Recorded = Readonly<Record<string, readonly Answer[]>>

describe.skipIf(server !== undefined)('as Kubernetes answers', async () => {
  const recorded: Recorded = server === undefined ? JSON.parse(readFileSync(file, 'utf8')) : {}
  test.each(Object.keys(groups))('%s', async (group) => {
    const stand = await WritesStand.start()
    await stand.installCrds()
    await stand.create('/api/v1/namespaces', { metadata: { name: namespace(group) } })
    const steps = groups[group] ?? []
    for (const [index, step] of steps.entries()) {
      const asked = inside(step, namespace(group))
      const [ours, theirs] = [plain(await stand.ask(asked), asked), recorded[group]?.[index]]
      const { compares = 'all' } = step
      const title = `${step.method} ${step.path} ${JSON.stringify(step.body)?.slice(0, 200)}`
      if (compares === 'all') expect({ title, ...ours }).toEqual({ title, ...theirs })
      else
        expect({ title, ...summary(ours, compares) }).toEqual({
          title,
          ...summary(theirs, compares),
        })
    }
    expect(stand.failures).toEqual([])
  })
})

test.runIf(server !== undefined)(
  'ask a Kubernetes, and keep its answers',
  { timeout: 300_000 },
  async () => {
    const answers: Record<string, Answer[]> = {}
    for (const [group, steps] of Object.entries(groups)) {
      const name = namespace(group)
      await overTheWire(post('/api/v1/namespaces', { metadata: { name } }))
      const given: Answer[] = []
      for (const step of steps) {
        const asked = inside(step, name)
        given.push(plain(await overTheWire(asked), asked))
      }
      answers[group] = given
    }
    writeFileSync(file, `${JSON.stringify(answers, undefined, 2)}\n`)
  },
)

const inside = (step: Step, name: string): Step =>
  JSON.parse(JSON.stringify(step).replaceAll('NS', name))

function summary(answer: Answer | undefined, compares: Step['compares']): object {
  const { code, body } = answer ?? {}
  if (compares === 'code') return { code }
  const { reason, details } = (body ?? {}) as { reason?: string; details?: { causes?: Json[] } }
  const causes = details?.causes?.map(({ message: _, ...rest }) => rest)
  return { code, reason, ...(causes === undefined ? {} : { causes }) }
}

/** Without what is different every time, unless the request says it. */
function plain({ code, body, warnings }: Answer, asked: Step): Answer {
  const said = JSON.stringify(asked)
  const unless = (word: string) => (found: string) => (said.includes(found) ? found : word)
  const text = JSON.stringify(body ?? null)
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'UID')
    .replace(/20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, unless('TIME'))
    .replace(/"resourceVersion":"\d+"/g, '"resourceVersion":"1"')
    .replace(/(in record|object meta:) \(?\d+\)?/g, '$1 REVISION')
    .replace(/10\.(9[6-9]|1[01]\d)\.\d+\.\d+/g, unless('10.96.0.0'))
    .replace(/fd00:10:96::[0-9a-f]+/g, unless('fd00:10:96::'))
    .replace(/:3[0-2]\d\d\d\b/g, (found) => (said.includes(found) ? found : ':30000'))
  return { code, body: JSON.parse(text), warnings }
}

const types = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
}

function overTheWire({ method, path, body, type }: Step): Promise<Answer> {
  const text = body === undefined ? '' : JSON.stringify(body)
  const headers = {
    'Content-Length': Buffer.byteLength(text),
    Authorization: `Bearer ${token}`,
    'User-Agent': 'tester/1',
    'Content-Type': type === undefined ? 'application/json' : types[type],
  }
  const options = { method, headers, rejectUnauthorized: false }
  return new Promise((resolve, reject) => {
    const asked = request(`${server}${path}`, options, async (response) => {
      const answer = (await Array.fromAsync(response.setEncoding('utf8'))).join('')
      const warnings = (response.headersDistinct['warning'] ?? []).map((one) =>
        JSON.parse(one.slice(one.indexOf('"'))),
      )
      resolve({ code: response.statusCode ?? 0, body: JSON.parse(answer), warnings })
    })
    asked.on('error', reject)
    asked.end(text)
  })
}
