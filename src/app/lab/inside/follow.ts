// Which objects of a kind exist, now and later? A map that is kept current, with a change callback.
import { systemClock } from '../../../edge/host/clock.ts'
import type { Api } from '../../../edge/kube/api/client.ts'
import type { Resource } from '../../../edge/kube/api/resource.ts'
import { watch } from '../../../edge/kube/api/watch.ts'
import { keyOf } from './served.ts'

type Kept = {
  readonly objects: ReadonlyMap<string, unknown>
  /** False until the first list has been read. */
  readonly isKnown: () => boolean
}
type Following = {
  readonly signal: AbortSignal
  readonly changed: (key: string) => void
}

/** Ends with its signal; the watch retries failures. */
export function follow(api: Api, resource: Resource, { signal, changed }: Following): Kept {
  const objects = new Map<string, unknown>()
  let isKnown = false
  void (async () => {
    const unseen = new Set<string>()
    const options = { signal, clock: systemClock, random: Math.random }
    for await (const step of watch(api, resource, options)) {
      if (step.type === 'init') for (const key of objects.keys()) unseen.add(key)
      else if (step.type === 'init-done') {
        for (const key of unseen) objects.delete(key)
        isKnown = true
        for (const key of [...unseen, '']) changed(key)
        unseen.clear()
      } else if (step.type !== 'fault') {
        const key = keyOf(step.json)
        unseen.delete(key)
        if (step.type === 'delete') objects.delete(key)
        else objects.set(key, step.json)
        changed(key)
      }
    }
  })()
  return { objects, isKnown: () => isKnown }
}
