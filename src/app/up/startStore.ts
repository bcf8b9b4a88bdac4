// What makes the embedded API? Its file, its kinds, who may come in and who judges what is written.
import { isAbsolute } from 'node:path'
import type { BgpMode } from '../../core/model/admission.ts'
import type { Gate } from '../../core/model/gate.ts'
import type { Settings } from '../../core/model/world.ts'
import { check, checkDelete } from '../../core/policy/check/check.ts'
import { admission } from '../../edge/kube/admission.ts'
import { type Fault, faultFrom } from '../../edge/kube/api/fault.ts'
import { parseYaml } from '../../edge/manifests/parseYaml.ts'
import type { Person } from '../../edge/store/http/person.ts'
import { type Identity, startApi } from '../../edge/store/http/server.ts'
import { badRequest, done, type Outcome, refused } from '../../edge/store/status.ts'
import type { Objects } from '../../edge/store/storage/objects.ts'
import { type Door, openDoor } from '../../edge/store/write/door.ts'
import { usualRanges } from '../../edge/store/write/service/ranges.ts'
import { decoded } from '../../edge/store/write/stored.ts'
import { Writes } from '../../edge/store/write/writes.ts'
import { ownCrds } from './definitions.ts'
import { adminUser, controllerUser, type Keys, trustOf } from './keys.ts'
import { knownWorld, viewOf } from './knownWorld.ts'
import { backupPath } from './ownApi.ts'
import { tokenNamespace } from './tokenSecret.ts'
import { bearerOf, type Known } from './tokens.ts'

export type StoreWish = {
  /** Ours from here on: closed with the store, also when it cannot be started. */
  readonly objects: Objects
  readonly listen: string
  readonly port: number
  readonly keys: Keys
  readonly settings: Settings
  readonly build: string
  readonly failed: (error: unknown) => void
  readonly now?: () => Date
  /** Who judges what is written; nobody, where the API alone is looked at. */
  readonly judge?: 'admission' | 'nobody'
  /** What peers are checked against; native when not said. */
  readonly bgpMode?: BgpMode
  /** Whether Services have IPv4 only. */
  readonly isSingleStack?: boolean
}

export type Store = {
  readonly port: number
  readonly present: (keys: Keys) => void
  readonly close: () => Promise<void>
}

const singleStack = { ...usualRanges, clusterIps: usualRanges.clusterIps.slice(0, 1) }

export async function startStore(wish: StoreWish): Promise<Store> {
  const { objects, listen, port, keys, settings, build, failed } = wish
  const { judge = 'admission', bgpMode = 'native', now = () => new Date() } = wish
  try {
    const door = judge === 'nobody' ? openDoor : doorOf(objects, settings, bgpMode)
    const ranges = wish.isSingleStack === true ? { ranges: singleStack } : {}
    const writes = await Writes.start({ objects, door, failed, now, ...ranges })
    const known = knownIn(objects)
    const findHolder = (token: string) => bearerOf(token, known, now())
    const api = await startApi({
      kinds: writes.kinds,
      objects,
      writes,
      parseYaml,
      findHolder,
      build,
      now,
      random: Math.random,
      failed,
      port,
      host: listen,
      identity: identityOf(keys),
      deeds: new Map([[backupPath, (query, person) => backUp(objects, query, person)]]),
    }).catch((error: unknown) => {
      throw cannotServe(wish, error)
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
  { listen, port }: Pick<StoreWish, 'listen' | 'port'>,
  error: unknown,
): Fault =>
  faultFrom(error, `the API cannot be served on ${listen} port ${port} (--listen, --port)`)

/**
 * Written by the server itself, which alone may read its file while it runs. Only for who has the
 * keys of the folder: to others, also those who may do everything, this is not their machine.
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
  message: `a backup is written for ${adminUser} only, whose certificate is in the data folder`,
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

/** What our own controllers write follows from what was judged before. */
function doorOf(objects: Objects, settings: Settings, bgpMode: BgpMode): Door {
  const world = knownWorld(objects, settings)
  let gate: Gate | undefined
  return {
    admit(object, before) {
      gate ??= admission({ crds: ownCrds(), check, checkDelete, bgpMode })
      return gate.admit(world, object, before)
    },
    admitDelete(object) {
      const view = viewOf(object)
      return view === undefined ? [] : checkDelete(world, view)
    },
    isOurs: (person) => isCertified(person, controllerUser),
  }
}
