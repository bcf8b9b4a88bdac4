// kubectl writes: apply in all its ways, create, edit, patch, label, replace, set, wait and delete.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { kubectlIn, path } from './kubectl.ts'
import { crdOf, customOf, deployment, map, pod, service } from './samples.ts'
import { isKubernetes } from './server.ts'

const kubectl = kubectlIn('kubectl-writing')
const boats = 'boats.kubectl.berth.dev'
const boat = (spec: object): object => customOf('Boat', spec)
const yaml = (object: object): string => JSON.stringify(object)
const names = async (kind = 'cm'): Promise<string[]> =>
  (await kubectl.do(`get ${kind} -o name`)).split('\n').filter((name) => name !== '')
const at = (which: string, jsonPath: string): Promise<string> =>
  kubectl.do(`get ${which} -o jsonpath={${jsonPath}}`)

describe.skipIf(path === '')('kubectl writes', () => {
  beforeAll(async () => {
    await kubectl.apply(crdOf('Boat'))
    await kubectl.do(`wait --for=condition=Established crd/${boats}`)
    return async () => {
      await kubectl.do(`delete crd/${boats}`)
    }
  })
  afterEach(async () => {
    await kubectl.do('delete cm,secret,svc,deploy,pod,boa --all --now')
  })

  test('apply: a List, several files, a folder', async () => {
    const list = {
      apiVersion: 'v1',
      kind: 'List',
      items: [map('a', { x: '1' }), map('b', { x: '1' })],
    }
    expect(await kubectl.apply(list)).toBe('configmap/a created\nconfigmap/b created\n')
    expect(await kubectl.apply(list)).toBe('configmap/a unchanged\nconfigmap/b unchanged\n')
    const folder = join(kubectl.home, 'many', 'deep')
    mkdirSync(folder, { recursive: true })
    kubectl.write('many/c.json', yaml(map('c')))
    kubectl.write('many/deep/d.json', yaml(map('d')))
    expect(await kubectl.do('apply -R -f many')).toContain('configmap/d created')
    expect(await kubectl.do('apply -f many --dry-run=server -o name')).toBe('configmap/c\n')
  })

  test('apply --prune: what is no longer in the files goes', async () => {
    const labels = { labels: { of: 'prune' } }
    await kubectl.apply(map('a', {}, labels), map('b', {}, labels), map('c'))
    const one = kubectl.write('one.json', yaml(map('a', {}, labels)))
    const prune = `apply -f ${one} --prune -l of=prune --prune-allowlist=core/v1/ConfigMap`
    expect(await kubectl.do(prune)).toContain('configmap/b pruned')
    expect(await names()).toEqual(['configmap/a', 'configmap/c'])
    const set = { env: { KUBECTL_APPLYSET: 'true' } }
    const both = kubectl.write('both.json', `${yaml(map('d'))}\n---\n${yaml(map('e'))}`)
    await kubectl.do(`apply -f ${both} --prune --applyset=mine`, set)
    await kubectl.ok(['apply', '-f', '-', '--prune', '--applyset=mine'], {
      ...set,
      input: map('d'),
    })
    expect(await names()).toEqual(['configmap/a', 'configmap/c', 'configmap/d'])
  })

  test('apply -k, diff -k, delete -k', async () => {
    const folder = join(kubectl.home, 'kust')
    mkdirSync(folder)
    const generator = '[{name: gen, literals: [a=1]}]'
    const kustomization = `namePrefix: k-\nresources: [m.json]\nconfigMapGenerator: ${generator}\n`
    kubectl.write('kust/kustomization.yaml', kustomization)
    kubectl.write('kust/m.json', yaml(map('m', { a: '1' })))
    const made = (await kubectl.do('apply -k kust')).trim().split('\n')
    expect(made.sort()).toEqual([
      expect.stringMatching(/^configmap\/k-gen-\w+ created$/),
      'configmap/k-m created',
    ])
    expect(await kubectl.run(['diff', '-k', 'kust'])).toMatchObject({ code: 0, out: '' })
    kubectl.write('kust/m.json', yaml(map('m', { a: '2' })))
    const { code, out } = await kubectl.run(['diff', '-k', 'kust'])
    expect([code, out]).toEqual([1, expect.stringMatching(/^-.*a: "1"\n\+.*a: "2"$/m)])
    await kubectl.do('delete -k kust')
  })

  test('apply refuses what cannot be: unknown kinds, generated names, unknown fields', async () => {
    const apply = (object: object) => kubectl.refused('apply -f -', { input: object })
    expect(await apply({ ...map('a'), apiVersion: 'none/v1' })).toContain('no matches for kind')
    const generated = { ...map('a'), metadata: { generateName: 'a-' } }
    expect(await apply(generated)).toContain('cannot use generate name with apply')
    expect(await apply({ ...map('a'), dato: {} })).toContain('unknown field "dato"')
    const warned = ['apply', '--validate=warn', '-f', '-']
    const { code, err } = await kubectl.run(warned, { input: { ...map('a'), dato: {} } })
    expect([code, err]).toEqual([0, 'Warning: unknown field "dato"\n'])
  })

  test('apply of both kinds on one object, and what was applied last', async () => {
    await kubectl.apply(map('a', { x: '1', y: '1' }))
    const serverSide = ['apply', '--server-side', '-f', '-']
    await kubectl.ok(serverSide, { input: map('a', { x: '2' }) })
    expect(await at('cm/a', '.data')).toBe('{"x":"2"}')
    expect(await kubectl.do('apply view-last-applied cm/a')).toContain('x: "2"')
    const other = [...serverSide, '--field-manager=other']
    const { err } = await kubectl.run(other, { input: map('a', { x: '3' }) })
    expect(err).toContain('conflict with "kubectl": .data.x')
  })

  test('create -f, of a generated name, --raw', async () => {
    const generated = { ...map('a'), metadata: { generateName: 'gen-' } }
    const made = await kubectl.ok(['create', '-f', '-'], { input: generated })
    expect(made).toMatch(/^configmap\/gen-\w{5} created\n$/)
    const raw = `/api/v1/namespaces/${kubectl.namespace}/configmaps`
    const answer = await kubectl.do(`create --raw ${raw} -f -`, { input: map('raw') })
    expect(answer).toMatch(/^\{"kind":"ConfigMap",.*\}\n$/)
    const input = map('raw', { x: '1' })
    expect(await kubectl.do(`replace --raw ${raw}/raw -f -`, { input })).toContain('"x":"1"')
    expect(await kubectl.do(`delete --raw ${raw}/raw`)).toContain('"status":"Success"')
    const review = { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview' }
    const spec = { resourceAttributes: { verb: 'get', resource: 'pods' } }
    const asked = ['create', '-f', '-', '-o', 'jsonpath={.status.allowed}']
    expect(await kubectl.ok(asked, { input: { ...review, spec } })).toBe('true')
  })

  test('create, run and expose, and set', async () => {
    await kubectl.do('create deployment web --image=nginx:1 --replicas=3')
    expect(await kubectl.do('expose deployment web --port=80')).toBe('service/web exposed\n')
    expect(await at('svc/web', '.spec.selector')).toBe('{"app":"web"}')
    await kubectl.do('set image deploy/web nginx=nginx:2')
    await kubectl.do('set env deploy/web A=b')
    await kubectl.do('set selector svc web a=b')
    const container = '.spec.template.spec.containers[0]'
    expect(await at('deploy/web', `${container}.image`)).toBe('nginx:2')
    expect(await at('deploy/web', `${container}.env`)).toBe('[{"name":"A","value":"b"}]')
    if (!isKubernetes) await kubectl.do('run one --image=nginx')
    await kubectl.do('create service nodeport np --tcp=80')
    await kubectl.do('create service externalname en --external-name=x.example')
    await kubectl.do('create secret docker-registry dr --docker-username=a --docker-password=b')
    expect(await at('secret/dr', '.type')).toBe('kubernetes.io/dockerconfigjson')
  })

  test('edit by script: a change, none, one that is refused', async () => {
    await kubectl.apply(map('a', { x: 'one' }), boat({ size: 3 }))
    expect(await kubectl.do('edit cm/a', { editor: 'sed -i s/one/two/' })).toContain('edited')
    expect(await at('cm/a', '.data.x')).toBe('two')
    const { err } = await kubectl.run(['edit', 'cm/a'], { editor: 'true' })
    expect(err).toContain('no changes made')
    const big = "sed -i 's/size: [0-9]*/size: 40/'"
    // Opened again it is left as it is, which ends it.
    const editor = kubectl.write('editor.sh', `grep -q 'size: 40' "$1" || ${big} "$1"\n`)
    const refused = await kubectl.refused('edit boa/a', { editor: `sh ${editor}` })
    expect(refused).toContain('boats.kubectl.berth.dev "a" is invalid')
    expect(await at('boa/a', '.spec.size')).toBe('3')
  })

  test('patch of every kind, and what each refuses', async () => {
    await kubectl.apply(map('a', { x: '1' }), service, boat({ size: 3 }))
    const patch = (which: string, type: string, change: unknown) => [
      ...['patch', which, `--type=${type}`, '-p'],
      JSON.stringify(change),
    ]
    const patched = await kubectl.ok(patch('cm/a', 'merge', { data: { x: null, y: '1' } }))
    expect(patched).toBe('configmap/a patched\n')
    const again = await kubectl.ok(patch('cm/a', 'strategic', { data: { y: '1' } }))
    expect(again).toBe('configmap/a patched (no change)\n')
    const port = [{ op: 'replace', path: '/spec/ports/0/port', value: 81 }]
    await kubectl.ok(patch('svc/web', 'json', port))
    expect(await at('svc/web', '.spec.ports[0].port')).toBe('81')
    const refused = async (...args: Parameters<typeof patch>) =>
      (await kubectl.run(patch(...args))).err
    const words = 'The request is invalid: patch: Invalid value: "map[data:map[x:1]]": '
    expect(await refused('cm/a', 'strategic', { data: { x: 1 } })).toBe(
      `${words}cannot convert int64 to string\n`,
    )
    const test = [{ op: 'test', path: '/data/y', value: '2' }]
    expect(await refused('cm/a', 'json', test)).toContain('The request is invalid')
    expect(await refused('boa/a', 'strategic', {})).toContain('is not supported')
    expect(await refused('boa/a', 'merge', { spec: { size: 11 } })).toContain(
      'spec.size: Invalid value: 11: spec.size in body should be less than or equal to 10',
    )
    expect(await refused('boa/none', 'merge', {})).toContain('(NotFound)')
  })

  test('label and annotate: once, over what is there, of all', async () => {
    await kubectl.apply(map('a'), map('b'), boat({}))
    await kubectl.do('label cm/a boa/a tier=front')
    expect(await kubectl.refused('label cm/a tier=back')).toContain('already has a value (front)')
    await kubectl.do('label cm/a tier=back --overwrite')
    expect(await kubectl.do('label cm --all z=1')).toContain('configmap/b labeled')
    expect(await kubectl.do('label cm/a tier- z-')).toContain('unlabeled')
    expect(await kubectl.refused('label cm/a bad=a_b_')).toContain('a valid label must be')
    await kubectl.do('annotate cm/a note=a')
    await kubectl.do('annotate cm/a note=b --overwrite')
    expect(await kubectl.do('annotate cm/a --list')).toContain('note=b')
    const stale = 'annotate cm/a note=c --overwrite --resource-version=1'
    expect(await kubectl.refused(stale)).toContain('the object has been modified')
  })

  test('replace, and replace --force, which makes it anew', async () => {
    await kubectl.apply(map('a', { x: '1' }), service)
    const uid = await at('cm/a', '.metadata.uid')
    const replace = ['replace', '-f', '-']
    await kubectl.ok(replace, { input: map('a', { x: '2' }) })
    expect(await at('cm/a', '.metadata.uid')).toBe(uid)
    await kubectl.ok([...replace, '--force'], { input: map('a', { x: '3' }) })
    expect(await at('cm/a', '.metadata.uid')).not.toBe(uid)
    expect(await kubectl.refused('replace -f -', { input: map('none') })).toContain('(NotFound)')
    // What the server has given it is not asked for again.
    await kubectl.ok(replace, { input: service })
  })

  test('wait: for a condition, a value, a creation and a deletion, and not for ever', async () => {
    await kubectl.apply(boat({ size: 3 }), deployment)
    const ready = kubectl.do('wait boa/a --for=condition=Ready --timeout=20s')
    const status = { status: { conditions: [{ type: 'Ready', status: 'True' }] } }
    const patch = ['patch', 'boa/a', '--subresource=status', '--type=merge', '-p']
    await kubectl.ok([...patch, JSON.stringify(status)])
    expect(await ready).toContain('condition met')
    await kubectl.do('wait boa --all --for=jsonpath={.spec.size}=3 --timeout=5s')
    const made = kubectl.do('wait cm/later --for=create --timeout=20s')
    await kubectl.apply(map('later'))
    expect(await made).toContain('condition met')
    await Promise.all([
      kubectl.do('wait cm/later --for=delete --timeout=20s'),
      kubectl.do('delete cm/later'),
    ])
    const late = 'wait deploy/dep --for=condition=Available --timeout=1s'
    expect(await kubectl.refused(late)).toContain('timed out waiting for the condition')
    const rollout = 'rollout status deploy/dep --timeout=1s'
    expect(await kubectl.refused(rollout)).toContain('timed out')
  })

  test('delete: dry, of a namespace with all that is in it, and who owned what', async () => {
    await kubectl.do('create namespace kubectl-writing-more')
    await kubectl.ok(['apply', '-n', 'kubectl-writing-more', '-f', '-'], { input: map('a') })
    expect(await kubectl.do('delete ns kubectl-writing-more --dry-run=server')).toContain(
      '(server dry run)',
    )
    await kubectl.do('delete ns kubectl-writing-more')
    expect(await kubectl.refused('get ns kubectl-writing-more')).toContain('(NotFound)')
    await kubectl.apply(map('owner'))
    const uid = await at('cm/owner', '.metadata.uid')
    const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid }]
    const owned = (name: string) => ({ ...map(name), metadata: { name, ownerReferences } })
    await kubectl.apply(owned('owned'))
    await kubectl.do('delete cm/owner --cascade=foreground')
    expect(await names()).toEqual([])
  })

  test('a Pod that is there keeps its spec, but for its image', async () => {
    await kubectl.apply(pod('p'))
    await kubectl.do('set image pod/p c=nginx:2')
    const change = ['patch', 'pod/p', '-p', '{"spec":{"hostname":"x"}}']
    const { code, err } = await kubectl.run(change)
    expect([code, err]).toEqual([1, expect.stringContaining('pod updates may not change fields')])
  })
})
