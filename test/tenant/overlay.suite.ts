// Does kustomize build what `berth tenant render --by overlay` writes, and does the real definition
// of a control plane accept it as before? On OpenStack's own samples.
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Json } from '../../src/core/model/json.ts'
import { decodeControlPlane } from '../../src/edge/kube/decode/decodeControlPlane.ts'
import { Fields } from '../../src/edge/kube/decode/fields.ts'
import { readCrd } from '../../src/edge/kube/schema/crd.ts'
import { walkSchema } from '../../src/edge/kube/schema/schema.ts'
import { parseManifests } from '../../src/edge/manifests/readManifests.ts'
import { berth, folderOf } from '../build/terminal.ts'
import { findKubectl } from '../kubectl/kubectl.ts'

const real = '../shared/real'
const samples = join(real, 'control-planes')
const kubectl = findKubectl()
const isHere = existsSync(samples) && 'path' in kubectl
const files = existsSync(samples)
  ? readdirSync(samples).filter((file) => file.endsWith('.yaml'))
  : []

const jsonsIn = (text: string): readonly Json[] =>
  parseManifests(text, 'built').flatMap((read) => (read.ok ? [{ ...read.manifest.json }] : []))

function errorsOf(json: Json | undefined): readonly string[] {
  const file = join(real, 'crds/core.openstack.org_openstackcontrolplanes.yaml')
  const [definition] = jsonsIn(readFileSync(file, 'utf8'))
  const schema = readCrd(definition)?.versions[0]?.schema
  if (schema === undefined) throw new Error(`${file} is no definition`)
  return walkSchema(schema, json).errors.map(({ path, message }) => `${path}: ${message}`)
}

const network = (name: string, from: string, to: string): string => `
  - name: ${name}
    cidrs: [${to}.0/24]
    translateFrom: [${from}.0/24]
    loadBalancer: [${to}.80-${to}.90]`
const tenant = `
apiVersion: berth.dev/v1alpha1
kind: Tenant
metadata: {name: openstack2}
spec:
  namespaces: {names: [openstack2]}
  services: [{namespace: openshift-logging, name: openstack-logging}]
  requestedAddresses: Translate
  networks:${network('ctlplane', '192.168.122', '192.168.123')}${network('internalapi', '172.17.0', '172.27.0')}${network('storage', '172.18.0', '172.29.0')}
`

describe.skipIf(!isHere)('overlays of control planes', () => {
  test.each(files)('%s', async (file) => {
    if (!('path' in kubectl)) return
    const folder = folderOf({ 'tenant.yaml': tenant })
    copyFileSync(join(samples, file), join(folder, 'plane.yaml'))
    const [there] = jsonsIn(readFileSync(join(folder, 'plane.yaml'), 'utf8'))
    const given = ['-f', join(folder, 'tenant.yaml'), '-f', join(folder, 'plane.yaml')]
    const out = ['--output-dir', join(folder, 'openstack2')]
    const rendered = await berth(['tenant', 'render', ...given, '--by', 'overlay', ...out])
    expect(rendered).toMatchObject({ exit: 0 })
    const kustomization = 'resources: [plane.yaml]\ncomponents: [openstack2]\n'
    writeFileSync(join(folder, 'kustomization.yaml'), kustomization)

    const args = ['kustomize', folder]
    const { stdout, stderr } = spawnSync(kubectl.path, args, { encoding: 'utf8' })
    expect(stderr).toBe('')
    const built = jsonsIn(stdout).find((one) => one['kind'] === 'OpenStackControlPlane')
    expect(errorsOf(built)).toEqual(errorsOf(there))
    const { services } = decodeControlPlane(new Fields(built ?? {}, []))
    expect(services.length).toBeGreaterThan(10)
    for (const { name, annotations } of services) {
      const values = Object.entries(annotations).filter(([key]) => key.startsWith('metallb'))
      for (const [key, value] of values) {
        const wanted = key.endsWith('loadBalancerIPs')
          ? /^172\.2[79]\.0\.|^192\.168\.123\./
          : /^openstack2[-/]/
        expect(value, `${name} ${key}`).toMatch(wanted)
      }
    }

    // Done again on the outcome there is nothing left to do.
    writeFileSync(join(folder, 'plane.yaml'), stdout)
    const again = await berth(['tenant', 'render', ...given, '--by', 'overlay', '--check'])
    expect(again).toMatchObject({ exit: 0, out: expect.stringContaining('Nothing to do') })
  })
})
