// How is the past forgotten at once, which otherwise takes minutes? etcd is told to compact; the
// embedded API forgets what is far enough behind.
import { request } from 'node:http'
import type { Api } from '../../src/edge/kube/api/client.ts'
import { configMap, core, kube, merge, newNamespace, verbs } from './cluster.ts'
import { historyChanges } from './embedded.ts'
import { isEmbedded } from './harness.ts'

/** Of a kind that is not kept in a cache beside etcd, where there is one. */
export const forgetful = isEmbedded ? 'configmaps' : 'limitranges'

/** All revisions but the newest are gone afterwards. */
export async function forgetPast(admin: Api): Promise<void> {
  if (isEmbedded) await outrun(admin)
  else await compactEtcd()
}

async function outrun(admin: Api): Promise<void> {
  const maps = verbs(admin, core('configmaps', await newNamespace(admin)))
  await maps.create(configMap('news'))
  for (let at = 0; at <= historyChanges; at++) {
    await maps.patch('news', { type: merge, body: { data: { at: String(at) } } })
  }
}

async function compactEtcd(): Promise<void> {
  const { header } = (await ask('/v3/kv/range', { key: 'Lw==' })) as {
    header: { revision: string }
  }
  await ask('/v3/kv/compaction', { revision: header.revision, physical: true })
}

/** etcd serves its API as JSON too. */
function ask(path: string, body: unknown): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const asked = request(`${kube.etcd}${path}`, { method: 'POST' })
    asked.on('error', reject)
    asked.on('response', async (response) => {
      const text = Buffer.concat(await Array.fromAsync(response)).toString('utf8')
      if (response.statusCode === 200) resolve(JSON.parse(text))
      else reject(new Error(`etcd ${path}: ${text}`))
    })
    asked.end(JSON.stringify(body))
  })
}
