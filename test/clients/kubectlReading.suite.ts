// kubectl reads: every form of get, watches, describe and explain of every kind that is served.
import { beforeAll, describe, expect, test } from 'vitest'
import { kubectlIn, path, rowsOf, said } from './kubectl.ts'
import { crdOf, customOf, inNamespace, map, node } from './samples.ts'
import { isKubernetes } from './server.ts'

const kubectl = kubectlIn('kubectl-reading')
const ships = 'ships.kubectl.berth.dev'

describe.skipIf(path === '')('kubectl reads', () => {
  beforeAll(async () => {
    await kubectl.apply(...Object.values(inNamespace).map(placed), node('reading'))
    await kubectl.apply(crdOf('Ship'))
    await kubectl.do(`wait --for=condition=Established crd/${ships}`)
    await kubectl.apply(customOf('Ship', { size: 3, deep: 'yes' }))
    return async () => {
      await kubectl.do(`delete crd/${ships} node/reading`)
    }
  })

  test('get -o wide, name, json, yaml, and several kinds at once', async () => {
    const [head, row] = rowsOf(await kubectl.do('get deploy -o wide'))
    expect(head).toContain('CONTAINERS')
    expect(row).toMatchObject({ 0: 'dep', 1: '0/2' })
    const names = await kubectl.do('get svc,pod,deploy -o name')
    expect(names).toBe('service/web\npod/pod\ndeployment.apps/dep\n')
    const list = JSON.parse(await kubectl.do('get cm,secret -o json'))
    expect(list).toMatchObject({ kind: 'List', items: [{ kind: 'ConfigMap' }, { kind: 'Secret' }] })
    expect(await kubectl.do('get svc web -o yaml')).toContain('    targetPort: 8080\n')
    const all = await kubectl.do('get all -o name')
    expect(all).toBe('pod/pod\nservice/web\ndeployment.apps/dep\n')
  })

  test.each([
    ['jsonpath={.data.a}', '1'],
    ['jsonpath={range .metadata.labels.*}{@};{end}', 'x;'],
    ['jsonpath-as-json={.data}', '[\n    {\n        "a": "1"\n    }\n]\n'],
    ['custom-columns=N:.metadata.name,A:.data.a,Z:.data.z', 'N     A     Z\ncm    1     <none>\n'],
    ['go-template={{.metadata.name}}-{{len .data}}', 'cm-1'],
  ])('get -o %s', async (form, out) => {
    expect(await kubectl.ok(['get', 'cm', 'cm', '-o', form])).toBe(out)
  })

  test('get in order, in pages, by labels, by fields, everywhere', async () => {
    const sorted = ['get', 'cm,sa', '--sort-by=.metadata.name', '-o', 'name']
    expect(await kubectl.ok(sorted)).toMatch(/acc\n(.*\n)*.*cm\n/)
    expect(await kubectl.do('get svc,pod -l app=x --chunk-size=1 -o name')).toContain('pod/pod')
    expect(
      rowsOf(await kubectl.do('get cm --show-labels -l app'))
        .at(-1)
        ?.at(-1),
    ).toBe('app=x')
    expect(await kubectl.do('get pod --field-selector=status.phase=Pending -o name')).toBe(
      'pod/pod\n',
    )
    const unknown = await kubectl.refused('get svc --field-selector=spec.colour=red')
    expect(unknown).toContain('field label not supported: spec.colour')
    expect(await kubectl.do('get svc -A --no-headers')).toMatch(/^default +kubernetes /m)
    expect(await kubectl.do('get cm none --ignore-not-found')).toBe('')
    expect(await kubectl.refused('get nothing')).toContain('resource type "nothing"')
  })

  test('get of a custom kind: its columns, its short name', async () => {
    expect(rowsOf(await kubectl.do('get shi'))).toEqual([
      ['NAME', 'SIZE'],
      ['a', '3'],
    ])
    expect(rowsOf(await kubectl.do('get ships -o wide'))[1]).toEqual(['a', '3', 'yes'])
  })

  test.each([
    ['get cm -w --no-headers', /^w +1 +\S+\n(.*\n)*w +2 +\S+\n(.*\n)*w +2 /m],
    ['get cm w --watch-only -o yaml', /x: "2"\n[\s\S]*---\n[\s\S]*x: "2"/],
    ['get cm -w -o name', /configmap\/w\n(.*\n)*configmap\/w\n/],
    ['get cm -w --output-watch-events -l of=w', /ADDED[\s\S]*MODIFIED[\s\S]*DELETED/],
    ['get cm -w -l of=w -o jsonpath={.data}', /\{"x":"1"\}\{"x":"2","y":""\}/],
  ])('%s', async (words, told) => {
    await kubectl.apply(map('w', { x: '1' }, { labels: { of: 'w' } }))
    const isQuiet = words.includes('--watch-only')
    const out = await kubectl.watch(words, isQuiet ? undefined : /w|x/)
    // Nothing tells that it has begun: what it tells is changed until it tells.
    const change = ['patch', 'cm', 'w', '-p', '{"data":{"x":"2","y":""}}']
    await kubectl.ok(change)
    if (isQuiet) await tellUntil(() => out() !== '')
    await kubectl.do('delete cm w')
    await said(out, told)
  })

  async function tellUntil(isTold: () => boolean): Promise<void> {
    for (let at = 0; !isTold() && at < 50; at += 1) {
      await kubectl.ok(['annotate', 'cm', 'w', '--overwrite', `at=${at}`])
    }
  }

  test.each([...Object.keys(inNamespace), 'ship/a', 'node/reading', 'ns/kubectl-reading'])(
    'describe %s',
    async (which) => {
      const text = await kubectl.do(`describe ${which}`)
      expect(text).toMatch(new RegExp(`^Name: +${which.split('/')[1]}$`, 'm'))
    },
  )

  test('describe crd, and of what is not there', async () => {
    const text = await kubectl.do('describe crd ipaddresspools.metallb.io')
    expect(text).toContain('Established')
    expect(await kubectl.refused('describe svc none')).toContain('services "none" not found')
  })

  test('events: of an object, of a type, while they come', async () => {
    expect(await kubectl.do('events --for pod/pod')).toContain('it was made')
    expect(await kubectl.run(['events', '--types=Warning'])).toMatchObject({ out: '' })
    const names = await kubectl.do('get events --field-selector=reason=Made -o name')
    expect(names).toBe('event/made\n')
    const out = await kubectl.watch('events --watch', /it was made/)
    await kubectl.ok(['patch', 'event', 'made', '-p', '{"message":"again","count":2}'])
    await said(out, /again/)
  })

  test('explain: every kind that is served, all the way down', async () => {
    // Others come and go with their suites.
    const ours = /^([^.]+|.*\.(metallb\.io|apps|.*k8s\.io|nmstate\.io))$/
    const found = (await kubectl.do('api-resources --verbs=list -o name')).trim().split('\n')
    const served = isKubernetes
      ? ['pods', 'leases', 'bgppeers']
      : found.filter((one) => ours.test(one))
    expect(served).toContain('pods')
    for (const text of await Promise.all(served.map((kind) => kubectl.do(`explain ${kind}`)))) {
      expect(text).toMatch(/^KIND: .*\nVERSION: [\s\S]*FIELDS:\n/m)
      expect(text).not.toContain('<no description>')
    }
    expect(await kubectl.do('explain crd --recursive')).toContain('x-kubernetes-list-type')
    expect(await kubectl.do('explain bgppeers --recursive')).toContain('keepaliveTime')
  })

  test('explain: fields of a custom kind, and of none', async () => {
    const text = await kubectl.do('explain ships.spec.size')
    expect(text).toContain('FIELD: size <integer>')
    expect(text).toContain('Its size.')
    expect(await kubectl.do('explain ship.spec')).toMatch(/enum: sail, motor/)
    expect(await kubectl.do('explain ship')).toContain("Standard object's metadata.")
    expect(await kubectl.refused('explain ship.spec.colour')).toContain('does not exist')
  })

  test('api-versions and api-resources: everything that is served, reviews too', async () => {
    const versions = (await kubectl.do('api-versions')).trim().split('\n')
    const some = ['v1', 'apps/v1', 'authorization.k8s.io/v1', 'kubectl.berth.dev/v1']
    expect(versions).toEqual(expect.arrayContaining(some))
    const found = rowsOf(await kubectl.do('api-resources --no-headers'))
    expect(found).toContainEqual(['ships', 'shi', 'kubectl.berth.dev/v1', 'true', 'Ship'])
    expect(found.find(([name]) => name === 'selfsubjectreviews')).toBeDefined()
  })

  test('cluster-info, auth can-i, auth whoami, version', async () => {
    expect(await kubectl.do('cluster-info')).toContain('Kubernetes control plane')
    expect(await kubectl.do('auth can-i --list')).toMatch(/^\*\.\* +\[\] +\[\] +\[\*\]$/m)
    expect(await kubectl.ok(['auth', 'can-i', '*', '*'])).toBe('yes\n')
    expect(await kubectl.do('auth can-i get /healthz')).toBe('yes\n')
    expect(await kubectl.do('auth whoami')).toContain('system:masters')
    expect(await kubectl.do('version')).toContain('Server Version: v1.36.3')
  })

  test('get --raw: documents and refusals', async () => {
    expect(JSON.parse(await kubectl.do('get --raw /apis/apps/v1'))).toMatchObject({
      kind: 'APIResourceList',
    })
    expect(await kubectl.refused('get --raw /api/v1/nothings')).toContain('(NotFound)')
  })
})

/** An event says of which namespace what it is about is. */
function placed(object: object): object {
  if (!('involvedObject' in object)) return object
  const { involvedObject } = object as { involvedObject: object }
  return { ...object, involvedObject: { ...involvedObject, namespace: kubectl.namespace } }
}
