// How does the API itself create an object? As any other is, without asking admission.
import type { JsonObject } from '../../../core/model/gate.ts'
import { resourceOf } from '../kinds/storedKind.ts'
import { metaOf, textOf } from '../values/jsonRead.ts'
import { type Creating, createAs } from './create.ts'
import { keptAs } from './keeping.ts'
import { readObject } from './readObject.ts'

type Making = Pick<Creating, 'work' | 'tx' | 'promised'>

export function makeOwn(making: Making, resource: string, sent: JsonObject): void {
  const { work } = making
  const kind = work.kinds.get(resource)
  if (kind === undefined) throw new Error(`${resource} is not a kind`)
  const found = keptAs(kind)
  const read = readObject({ found, fieldValidation: 'Strict', duplicates: [] }, sent)
  if (!read.ok) throw new Error(`${resourceOf(kind)}: ${read.why}`)
  const place = {
    found,
    namespace: textOf(metaOf(sent)['namespace']),
    name: '',
    isStatus: false,
    person: { user: 'system:apiserver' },
  }
  const made = createAs(
    {
      ...making,
      work: { ...work, admission: { ...work.admission, isOurs: () => true } },
      place,
      options: {
        isDryRun: false,
        fieldManager: 'berth',
        fieldValidation: 'Strict',
        isForced: false,
      },
    },
    { object: read.object, warnings: [], isManaged: false },
  )
  if (!made.ok) throw new Error(made.status.message)
}
