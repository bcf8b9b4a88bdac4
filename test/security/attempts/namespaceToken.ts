// Does a token of `berth up` reach further than its namespace?
import { expect } from 'vitest'
import { core, loadBalancer, merge, refusal, verbs } from '../../kube/cluster.ts'
import { type Attempt, betaIsServed, isForbidden, servicesOf } from '../attempt.ts'

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const reviews = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews'

const mayI = (attributes: object) => ({
  ...{ apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview' },
  spec: { resourceAttributes: attributes },
})

/** What is a file of the machine, of all namespaces, or of another one. */
export const namespaceToken: Attempt = {
  name: 'A token for a namespace asks for objects outside of it, in every form',
  holds: 'a namespace token',
  mustHold: 'every request is refused; inside the namespace everything works',
  before: 'prevented',
  engines: ['embedded'],
  async run(stand) {
    const { tenant } = stand
    const read = (path: string, query: Readonly<Record<string, string>> = {}) =>
      tenant.call({ method: 'GET', path, query })
    const asked = [
      read('/api/v1/services'),
      read('/api/v1/services', { watch: 'true' }),
      read('/api/v1/services', { fieldSelector: 'metadata.namespace=alpha' }),
      read('/api/v1/namespaces/beta/services/victim'),
      read('/api/v1/namespaces'),
      read('/api/v1/nodes'),
      read(definitions),
      tenant.call({ method: 'POST', path: definitions, body: {} }),
      tenant.call({ method: 'POST', path: '/berth/backup', query: { file: '/tmp/never-made.db' } }),
      tenant.call({ method: 'DELETE', path: '/api/v1/namespaces/alpha' }),
      verbs(tenant, core('namespaces')).patch('alpha', { type: merge, body: {} }),
      verbs(tenant, core('namespaces')).create({ metadata: { name: 'mine' } }),
      verbs(tenant, core('secrets', 'kube-system')).list(),
    ]
    await Promise.all(asked.map(isForbidden))
    for (const path of ['alpha/../beta/services', 'beta%2f..%2falpha/services']) {
      const { code } = await refusal(read(`/api/v1/namespaces/${path}`))
      expect([403, 404]).toContain(code)
    }
    const may = async (namespace: string): Promise<unknown> => {
      const attributes = { namespace, verb: 'create', resource: 'services' }
      const answer = await tenant.call({ method: 'POST', path: reviews, body: mayI(attributes) })
      return Object(answer).status.allowed
    }
    expect([await may('alpha'), await may('beta')]).toEqual([true, false])
    await servicesOf(tenant).create(loadBalancer('inside'))
    await servicesOf(tenant).remove('inside')
    await betaIsServed(stand)
  },
}
