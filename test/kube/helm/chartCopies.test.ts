// Does the chart hold the definitions that we ship? `deploy/helm/copyCrds.sh` puts them there.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { load } from 'js-yaml'
import { expect, test } from 'vitest'
import { chartReadme, chartSchema } from '../../../deploy/helm/fromValues.ts'

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

test('README and schema of the chart are those that its values make', () => {
  const read = (file: string) => readFileSync(join('deploy/helm/berth', file), 'utf8')
  const values = read('values.yaml')
  expect(read('README.md')).toBe(chartReadme(values))
  expect(JSON.parse(read('values.schema.json'))).toEqual(JSON.parse(chartSchema(values)))
})

test("OpenShift's constraints are the same in the chart and in kustomize", () => {
  const chart = readFileSync('deploy/helm/berth/templates/openshift.yaml', 'utf8')
  const rendered = chart
    .replace(/\{\{ if eq .*?\{\{ end \}\}/, '')
    .replace('{{ .Release.Namespace }}', 'metallb-system')
    .split('\n')
    .filter((line) => !line.includes('{{') && !/labels:|component:/.test(line))
  const file = 'deploy/kustomize/openshift/constraints.yaml'
  expect(load(rendered.join('\n'))).toEqual(load(readFileSync(file, 'utf8')))
})
