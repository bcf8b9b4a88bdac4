// What the embedded API has not it refuses in words, and kubectl passes them on.
import { beforeAll, describe, expect, test } from 'vitest'
import { kubectlIn, path } from './kubectl.ts'
import { deployment, pod } from './samples.ts'
import { isKubernetes } from './server.ts'

const kubectl = kubectlIn('kubectl-refused')
const notHere = (what: string): string => `the embedded API of Berth does not serve ${what}`
const noResource = 'the server could not find the requested resource'

describe.skipIf(path === '' || isKubernetes)('kubectl is refused', () => {
  beforeAll(() => kubectl.apply(pod('p', { nodeName: 'n' }), deployment))

  test.each([
    ['scale deploy/dep --replicas=3', notHere('deployments/scale')],
    ['autoscale deploy/dep --min=1 --max=2', 'could not find scale subresource'],
    ['rollout history deploy/dep', noResource],
    ['rollout undo deploy/dep', noResource],
    ['logs p', notHere('pods/log')],
    ['exec p -- ls', notHere('pods/exec')],
    ['attach p', notHere('pods/attach')],
    ['cp /etc/hostname p:/tmp/x', notHere('pods/exec')],
    ['port-forward p 8080:80', 'pod is not running'],
    ['debug p --image=busybox', notHere('pods/ephemeralcontainers')],
    ['create token default', notHere('serviceaccounts/token')],
    ['get --raw /api/v1/nodes/n/proxy/metrics', notHere('nodes/proxy')],
    ['top pod', 'Metrics API not available'],
    ['create job j --image=x', noResource],
    ['create role r --verb=get --resource=pods', noResource],
    ['create ingress i --rule=a/b=c:80', noResource],
    ['create quota q --hard=cpu=1', noResource],
    ['get ingress', 'the server doesn\'t have a resource type "ingress"'],
    ['certificate approve x', 'doesn\'t have a resource type "certificatesigningrequests"'],
    ['explain ingress', 'doesn\'t have a resource type "ingress"'],
  ])('%s', async (words, why) => {
    expect(await kubectl.refused(words)).toContain(why)
  })

  test('apply --prune without a list of kinds names the first that is missing', async () => {
    const said = await kubectl.refused('apply -f - --prune -l app=x', { input: pod('q') })
    expect(said).toContain('no matches for kind "Endpoints"')
  })
})
