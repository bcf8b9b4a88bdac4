// kubectl and Nodes: taint, cordon, drain. Pods are records: nobody has to stop them.
import { beforeAll, describe, expect, test } from 'vitest'
import { kubectlIn, path, rowsOf } from './kubectl.ts'
import { map, node, pod } from './samples.ts'
import { isKubernetes } from './server.ts'

const kubectl = kubectlIn('kubectl-nodes')

describe.skipIf(path === '')('kubectl and nodes', () => {
  beforeAll(async () => {
    await kubectl.apply(node('harbour'), map('owner'))
    return async () => {
      await kubectl.do('delete node/harbour')
    }
  })

  test('taint: given, changed when told to, taken away', async () => {
    await kubectl.do('taint node harbour storm=yes:NoSchedule')
    const taken = await kubectl.refused('taint node harbour storm=no:NoSchedule')
    expect(taken).toContain('already has storm taint(s) with same effect(s)')
    await kubectl.do('taint node harbour storm=no:NoSchedule --overwrite')
    const storm = '-o=jsonpath={.spec.taints[?(@.key=="storm")].value}'
    expect(await kubectl.ok(['get', 'node', 'harbour', storm])).toBe('no')
    await kubectl.do('taint node harbour storm-')
    expect(await kubectl.ok(['get', 'node', 'harbour', storm])).toBe('')
  })

  test('cordon, drain, uncordon', async () => {
    expect(await kubectl.do('cordon harbour')).toBe('node/harbour cordoned\n')
    const status = rowsOf(await kubectl.do('get node harbour'))[1]?.[1]
    expect(status).toMatch(/,SchedulingDisabled$/)
    await kubectl.apply(pod('p', { nodeName: 'harbour' }), pod('elsewhere'))
    const alone = await kubectl.refused('drain harbour')
    expect(alone).toContain('cannot delete Pods that declare no controller')
    // A Pod on a node goes when its kubelet says so, and here there is none to say so.
    if (isKubernetes) await kubectl.refused('drain harbour --force --timeout=1s')
    else expect(await kubectl.do('drain harbour --force')).toContain('node/harbour drained')
    expect(await kubectl.do('uncordon harbour')).toBe('node/harbour uncordoned\n')
    if (!isKubernetes) expect(await kubectl.do('get pod -o name')).toBe('pod/elsewhere\n')
  })

  test('labels and roles are shown', async () => {
    await kubectl.do('label node harbour node-role.kubernetes.io/worker=')
    expect(rowsOf(await kubectl.do('get node harbour -o wide'))[1]).toMatchObject({ 2: 'worker' })
    expect(await kubectl.do('get nodes -l node-role.kubernetes.io/worker -o name')).toBe(
      'node/harbour\n',
    )
  })
})
