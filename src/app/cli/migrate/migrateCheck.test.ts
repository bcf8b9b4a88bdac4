// Proves what `berth migrate check` finds by who wrote an object, which lists leave out.
import { expect, test } from 'vitest'
import { served, servedObjects } from '../../../../test/build/servedObjects.ts'
import { nowhere } from '../../../../test/build/terminal.ts'
import { newSession } from '../load.ts'
import { migrateCheck } from './migrateCheck.ts'

const namespace = 'metallb-system'
const writtenBy = (manager: string) => ({ managedFields: [{ manager, operation: 'Apply' }] })

test('[R14.3] a pool that Argo CD marks only by its name as a writer is found', async () => {
  const { api } = await servedObjects([
    served('IPAddressPool', { name: 'lan', namespace, ...writtenBy('argocd-controller') }),
    served('IPAddressPool', { name: 'by-hand', namespace, ...writtenBy('kubectl') }),
    served('Deployment', {
      ...{ name: 'controller', namespace, labels: { app: 'metallb', component: 'controller' } },
      ...writtenBy('kustomize-controller'),
    }),
  ])
  const said: string[] = []
  const io = { ...nowhere, out: (text: string) => void said.push(text) }
  const session = await newSession(io, { ownNamespace: namespace, loadBalancerClass: '' })
  expect(await migrateCheck(api, session, 'text')).toBe(2)
  const out = said.join('')
  expect(out).toContain('error kept-by-gitops IPAddressPool/lan')
  expect(out).toContain(`kubectl -n ${namespace} annotate ipaddresspool lan argocd`)
  expect(out).toContain(`error gitops-keeps-metallb Deployment/${namespace}/controller`)
})
