// Does the chart hold the definitions that we ship? `deploy/helm/copyCrds.sh` puts them there.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { load } from 'js-yaml'
import { expect, test } from 'vitest'

const copies = 'deploy/helm/berth/files/crds'
const groups = ['berth', 'metallb']
const definitionsIn = (folder: string): string[] =>
  readdirSync(folder).filter((file) => file.includes('_'))

test.each(readdirSync('deploy/crds'))('%s is in the chart, unchanged', (file) => {
  const [group = ''] = file.split('.', 1)
  const read = (folder: string) => readFileSync(join(folder, file), 'utf8')
  expect(read(join(copies, group))).toBe(read('deploy/crds'))
})

test.each(groups)('nothing else is in the chart of %s, and kustomize lists all of it', (group) => {
  const folder = join(copies, group)
  const files = definitionsIn(folder)
  const { resources } = load(readFileSync(join(folder, 'kustomization.yaml'), 'utf8')) as {
    resources: string[]
  }
  expect(resources).toEqual(files)
  expect(readdirSync('deploy/crds')).toEqual(expect.arrayContaining(files))
})

const openstack = 'deploy/openstack/crds'

test.each(readdirSync(openstack))('%s is in the chart, unchanged', (file) => {
  const copy = readFileSync(join('deploy/helm/berth/files/openstack', file), 'utf8')
  expect(copy).toBe(readFileSync(join(openstack, file), 'utf8'))
})

test('chart, image tag and package have one version', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
  const chart = load(readFileSync('deploy/helm/berth/Chart.yaml', 'utf8'))
  expect(chart).toMatchObject({ version, appVersion: version })
  const controller = load(readFileSync('deploy/kustomize/controller/kustomization.yaml', 'utf8'))
  expect(controller).toMatchObject({ images: [{ name: 'berth', newTag: version }] })
})
