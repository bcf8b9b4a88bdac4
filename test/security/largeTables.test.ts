// Lists of objects that are far larger in memory than stored. The attacker holds a token of the embedded API for
// a namespace, stores objects of very many small parts, and waits until somebody lists them. Afterwards: a
// table, and metadata alone, is made of one object at a time.
// Before: all of them were parsed together, and 40 of 3 MB each ended the program, out of memory.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'

const src = new URL('../../src/edge/store/', import.meta.url).href

/** With room for a few of the objects, not for all. */
const maxOldGenerationSizeMb = 192
const work = `
import { parentPort, workerData } from 'node:worker_threads'
const { listReply } = await import('${src}http/forms.ts')
const { Slices } = await import('${src}http/slices.ts')
const { Kinds } = await import('${src}kinds/kinds.ts')
const kind = new Kinds().get('configmaps')
const metadata = { name: 'a', namespace: 'b', managedFields: Array(200_000).fill({ a: {} }) }
const object = { kind: 'ConfigMap', apiVersion: 'v1', metadata }
const stored = { name: 'a', namespace: 'b', bytes: Buffer.from(JSON.stringify(object)) }
const page = { revision: 1, items: Array(40).fill(stored) }
const [version] = kind.versions
const view = { form: { as: workerData, version: 'v1' }, includeObject: 'None' }
const slices = { of: new Slices(), user: 'tenant', isGone: () => false }
const shown = { found: { kind, version }, view, page }
const { body } = await listReply({ now: () => new Date() }, shown, slices)
parentPort.postMessage(body.lengthBytes)
`

test.each(['Table', 'PartialObjectMetadataList'])('%s', { timeout: 60_000 }, async (form) => {
  const file = new URL(`data:text/javascript,${encodeURIComponent(work)}`)
  const worker = new Worker(file, {
    workerData: form,
    resourceLimits: { maxOldGenerationSizeMb },
  })
  onTestFinished(() => void worker.terminate())
  const [lengthBytes] = await once(worker, 'message')
  expect(lengthBytes).toBeGreaterThan(0)
})
