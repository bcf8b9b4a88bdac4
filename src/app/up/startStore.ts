// What makes up the embedded API? Its file, its kinds, authentication and admission.
import { isAbsolute } from 'node:path'
import type { BgpMode } from '../../core/model/admission.ts'
import type { Complete } from '../../core/model/completion.ts'
import type { Gate } from '../../core/model/gate.ts'
import type { Settings } from '../../core/model/world.ts'
import { check, checkDelete } from '../../core/policy/check/check.ts'
import { foresee } from '../../core/policy/check/foresee.ts'
import { admission as gateOf } from '../../edge/kube/admission.ts'
import { type Fault, faultFrom } from '../../edge/kube/api/fault.ts'
import { parseYaml } from '../../edge/manifests/parseYaml.ts'
import type { Page } from '../../edge/store/http/answerer.ts'
import type { Person } from '../../edge/store/http/person.ts'
import { type Identity, startApi } from '../../edge/store/http/server.ts'
import type { Objects } from '../../edge/store/storage/objects.ts'
import { badRequest, done, type Outcome, refused } from '../../edge/store/values/status.ts'
import { type Admission, noAdmission } from '../../edge/store/write/admission.ts'
import { singleStack } from '../../edge/store/write/service/offline.ts'
import { decoded } from '../../edge/store/write/stored.ts'
import { Writes } from '../../edge/store/write/writes.ts'
import { completing } from './completing.ts'
import { ownCrds } from './definitions.ts'
import { adminUser, controllerUser, type Keys, trustOf } from './keys.ts'
import { knownWorld, viewOf } from './knownWorld.ts'
import { backupPath } from './ownApi.ts'
import { tokenNamespace } from './tokenSecret.ts'
import { bearerOf, type Known } from './tokens.ts'

type StoreOptions = {
  /** Owned from here on: closed with the store, even if that fails to start. */
  readonly objects: Objects
  readonly listen: string
  readonly port: number
  readonly keys: Keys
  readonly settings: Settings
  readonly build: string
  readonly failed: (error: unknown) => void
  /** Read at /metrics. */
  readonly metrics?: () => Page
  readonly now?: () => Date
  /** Who checks writes; nobody, for tests of the API alone. */
  readonly validation?: 'admission' | 'none'
  /** What peers are checked against (default native). */
  readonly bgpMode?: BgpMode
  /** Asked before a Pod is made, by our own controller. */
  readonly completePod?: Complete
  /** Whether Services have IPv4 only. */
  readonly isSingleStack?: boolean
}

export type Store = {
  readonly port: number
  readonly present: (keys: Keys) => void
  readonly close: () => Promise<void>
}

export async function startStore(options: StoreOptions): Promise<Store> {
  const { objects, listen, port, keys, settings, build, failed } = options
  const { validation = 'admission', bgpMode = 'native', now = () => new Date() } = options
  try {
    const admission = validation === 'none' ? noAdmission : admissionOf(objects, settings, bgpMode)
    const ranges = options.isSingleStack === true ? { ranges: singleStack } : {}
    const writes = await Writes.start({ objects, admission, failed, now, ...ranges })
    const known = knownIn(objects)
    const findHolder = (token: string) => bearerOf(token, known, now())
    const api = await startApi({
      kinds: writes.kinds,
      objects,
      writes: options.completePod === undefined ? writes : completing(writes, options.completePod),
      parseYaml,
      findHolder,
      build,
      now,
      random: Math.random,
      failed,
      port,
      host: listen,
      identity: identityOf(keys),
      pages: new Map(options.metrics === undefined ? [] : [['/metrics', options.metrics]]),
      actions: new Map([[backupPath, (query, person) => backUp(objects, query, person)]]),
    }).catch((error: unknown) => {
      throw cannotServe(options, error)
    })
    return {
      port: api.port,
      present: (renewed) => api.present(identityOf(renewed)),
      async close() {
        await api.close()
        await writes.stop()
        objects.close()
      },
    }
  } catch (error) {
    objects.close()
    throw error
  }
}

export const cannotServe = (
  { listen, port }: Pick<StoreOptions, 'listen' | 'port'>,
  error: unknown,
): Fault =>
  faultFrom(error, `the API cannot be served on ${listen} port ${port} (--listen, --port)`)

/**
 * Written by the server itself, which alone may read its file while it runs. Only the admin user of
 * this folder may do it: other users, even with all permissions, do not own this machine.
 */
async function backUp(
  objects: Objects,
  query: URLSearchParams,
  person: Person,
): Promise<Outcome<object>> {
  const file = query.get('file') ?? ''
  if (!isCertified(person, adminUser)) return notYours
  const overwrite = query.get('overwrite') === 'true'
  if (!isAbsolute(file)) return badRequest('file must be an absolute path')
  try {
    await objects.backup(file, { overwrite })
    return done({ file, revision: objects.revision })
  } catch (error) {
    return badRequest(faultFrom(error, file).message)
  }
}

const notYours = refused({
  code: 403,
  reason: 'Forbidden',
  message: `only ${adminUser}, whose certificate is in the data folder, can write a backup`,
})

/** A name alone proves nothing: a token may bear it, and an administrator may act as anybody. */
const isCertified = (
  { user, hasCertificate }: Pick<Person, 'user' | 'hasCertificate'>,
  as: string,
) => hasCertificate === true && user === as

function knownIn(objects: Objects): Known {
  return {
    secretNamed(name) {
      const stored = objects.get('secrets', tokenNamespace, name)
      return stored && decoded(stored)
    },
    uidOfNamespace: (name) => objects.get('namespaces', '', name)?.uid,
  }
}

const identityOf = (keys: Keys): Identity => ({ ...keys.server, clientCa: trustOf(keys) })

/** Our own controllers write what follows from admitted objects, so they are exempt. */
function admissionOf(objects: Objects, settings: Settings, bgpMode: BgpMode): Admission {
  const world = knownWorld(objects, settings)
  let gate: Gate | undefined
  return {
    admit(object, before) {
      gate ??= gateOf({ crds: ownCrds(), check, checkDelete, foresee, bgpMode })
      return gate.admit(world, object, before)
    },
    admitDelete(object) {
      const view = viewOf(object)
      const errors = view === undefined ? [] : checkDelete(world, view)
      if (errors.length > 0) return { ok: false, errors }
      const warnings = view === undefined ? [] : foresee(world, { view, isGone: true })
      return { ok: true, warnings }
    },
    isOurs: (person) => isCertified(person, controllerUser),
  }
}
