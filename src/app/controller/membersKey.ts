// Which key do the speakers share? The one in the Secret berth-members; who leads and finds none
// there makes one. The Secret itself is shipped: nobody here may create Secrets.
import { randomBytes } from 'node:crypto'
import type { Api } from '../../edge/kube/api/client.ts'
import { ifThere } from '../../edge/kube/api/notFound.ts'
import { pathOf } from '../../edge/kube/api/resource.ts'
import { Fields } from '../../edge/kube/decode/fields.ts'
import { resourceOf } from '../../edge/kube/kinds.ts'
import { untilInTime } from '../../edge/kube/write/race.ts'

const secrets = resourceOf('Secret')

/** Answers whether there is a Secret, with a key by now. */
export const ensureMembersKey = (api: Api, namespace: string): Promise<boolean> =>
  untilInTime(async () => {
    const path = pathOf({ ...secrets, namespace }, 'berth-members')
    const json = await ifThere(api.call({ method: 'GET', path }))
    if (json === undefined) return false
    const secret = new Fields(json, [])
    if (secret.inner('data').text('key') !== '') return true
    const metadata = secret.inner('metadata')
    const [uid, resourceVersion] = [metadata.text('uid'), metadata.text('resourceVersion')]
    // Base64 twice: a key is text, so that people can put another line beside it.
    const key = Buffer.from(`${randomBytes(32).toString('base64')}\n`).toString('base64')
    const body = { metadata: { uid, resourceVersion }, data: { key } }
    const contentType = 'application/merge-patch+json'
    await api.call({ method: 'PATCH', path, contentType, body })
    return true
  })
