// Which decoders read what clients send to the embedded API, and the API server to the webhooks?
import { readFileSync } from 'node:fs'
import { gatesOf } from '../../../src/app/cli/gates.ts'
import { reviewAdmission } from '../../../src/app/controller/webhookReview.ts'
import { World } from '../../../src/core/model/world.ts'
import { convertReview } from '../../../src/edge/kube/convert/convertReview.ts'
import { parseYaml } from '../../../src/edge/manifests/parseYaml.ts'
import { readCrds } from '../../../src/edge/manifests/shippedCrds.ts'
import { decodeObject } from '../../../src/edge/store/http/decodeBody.ts'
import { deleteOptions } from '../../../src/edge/store/http/deleteOptions.ts'
import { parseFieldSelector } from '../../../src/edge/store/http/fieldSelector.ts'
import { parseJson } from '../../../src/edge/store/http/jsonBody.ts'
import { parseLabelSelector } from '../../../src/edge/store/http/labelSelector.ts'
import { decodePatch } from '../../../src/edge/store/http/patchBody.ts'
import { targetOf } from '../../../src/edge/store/http/target.ts'
import { Kinds } from '../../../src/edge/store/kinds/kinds.ts'
import { jsonPatch } from '../../../src/edge/store/patch/jsonPatch.ts'
import { mergePatch } from '../../../src/edge/store/patch/mergePatch.ts'
import { decodeProtobuf } from '../../../src/edge/store/proto/decodeProtobuf.ts'
import { readObject } from '../../../src/edge/store/write/readObject.ts'
import { type Decoder, octetsOf } from './damage.ts'

const recordedFile = new URL('../../../src/edge/store/proto/recorded.json', import.meta.url)
const recorded: readonly { readonly sent: string; readonly means: string }[] = JSON.parse(
  readFileSync(recordedFile, 'utf8'),
)

const service = { apiVersion: 'v1', kind: 'Service' }
const found = new Kinds().find('', 'v1', 'services')
const web = {
  ...service,
  metadata: {
    name: 'web',
    labels: { app: 'web' },
    annotations: { 'metallb.io/address-pool': 'p' },
  },
  spec: {
    type: 'LoadBalancer',
    ports: [{ name: 'http', port: 80, targetPort: 'web', nodePort: 30080 }],
    selector: { app: 'web' },
    ipFamilies: ['IPv4', 'IPv6'],
  },
}
const texts = [JSON.stringify(web), JSON.stringify({ ...web, spec: {}, status: {} })]
const words = [
  ...['{', '}', '[', ']', ',', ':', '"', '\\u0000', '\\ud800', 'null', 'true', '-1', '1e999'],
  ...['{"a":', '"__proto__":', '"constructor":', '"metadata":', '"spec":', '"ports":'],
  ...['9007199254740993', '&a', '*a', '<<: ', '- ', '\n', '\t', '!!binary ', '? ', '0x1f', '~'],
]

/** As a body is read: to an object, and on to the fields of its kind. */
function readService(bytes: Uint8Array, type: string): boolean {
  const read = decodeObject({ bytes, type, parseYaml }, service, false)
  if (!read.ok || found === undefined) return false
  const { object, duplicates } = read.value
  return readObject({ found, fieldValidation: 'Warn', duplicates }, object).ok
}

function readProtobuf(bytes: Uint8Array): boolean {
  const read = decodeProtobuf(bytes, service)
  if (read.ok) JSON.stringify(read.value)
  return read.ok
}

const operations = [
  { op: 'test', path: '/metadata/name', value: 'web' },
  { op: 'replace', path: '/spec/ports/0/port', value: 81 },
  { op: 'move', from: '/metadata/labels/app', path: '/metadata/labels/a~1b' },
  { op: 'copy', from: '/spec/ports/0', path: '/spec/ports/-' },
  { op: 'remove', path: '/spec/selector' },
]

function patched(bytes: Uint8Array): boolean {
  const sent = { bytes, type: '', parseYaml }
  const merge = decodePatch(sent, 'merge')
  if (!merge.ok) return false
  const done = [mergePatch(web, merge.value.value), jsonPatch(web, merge.value.value)]
  return done.some(({ ok }) => ok)
}

const options = { propagationPolicy: 'Foreground', gracePeriodSeconds: 0, dryRun: ['All'] }

function readDeletion(bytes: Uint8Array): boolean {
  return deleteOptions({ bytes, type: 'application/json', parseYaml }, new URLSearchParams()).ok
}

const urls = [
  '/api/v1/namespaces/shop/services/web/status?dryRun=All',
  '/apis/metallb.io/v1beta1/namespaces/a/ipaddresspools?labelSelector=a%3Db,c!=d,e in (f,g),!h',
  '/api/v1/services?fieldSelector=metadata.name%3Dweb,spec.type!=ClusterIP&limit=5&watch=1',
]

function readUrl(bytes: Uint8Array): boolean {
  const [path = '', search = ''] = Buffer.from(bytes).toString('latin1').split('?', 2)
  const query = new URLSearchParams(search)
  const selectors = [
    parseLabelSelector(query.get('labelSelector') ?? ''),
    parseFieldSelector(query.get('fieldSelector') ?? ''),
  ]
  const target = targetOf({ method: 'GET', path, query })
  return target.ok && selectors.every(({ ok }) => ok)
}

const gate = gatesOf(await readCrds())('native')
const world = () => new World({ ownNamespace: 'metallb-system', loadBalancerClass: '' })
const known = world()
const reviewer = { gate, world: () => known, lastKnown: () => known }
const kinds = new Set(['metallb.io/IPAddressPool', 'berth.dev/Tenant', 'metallb.io/BGPPeer'])

const review = (group: string, kind: string, object: object): object => ({
  apiVersion: 'admission.k8s.io/v1',
  kind: 'AdmissionReview',
  request: {
    uid: 'u',
    kind: { group, version: 'v1', kind },
    operation: 'CREATE',
    name: 'x',
    object,
  },
})
const peer = {
  apiVersion: 'metallb.io/v1beta1',
  kind: 'BGPPeer',
  metadata: { name: 'tor', namespace: 'metallb-system' },
  spec: { myASN: 64512, peerASN: 64513, peerAddress: '10.0.0.1', nodeSelectors: [{}] },
}
const reviews = [
  review('metallb.io', 'IPAddressPool', {
    apiVersion: 'metallb.io/v1beta1',
    kind: 'IPAddressPool',
    metadata: { name: 'p', namespace: 'metallb-system', annotations: { 'berth.dev/serves': 'a' } },
    spec: { addresses: ['10.0.0.0/24', 'fd00::1-fd00::9'], serviceAllocation: { priority: 1 } },
  }),
  review('berth.dev', 'Tenant', {
    apiVersion: 'berth.dev/v1alpha1',
    kind: 'Tenant',
    metadata: { name: 't' },
    spec: {
      namespaces: { names: ['t'], selector: { matchLabels: { a: 'b' } } },
      networks: [{ name: 'n', cidrs: ['172.27.0.0/24'], loadBalancer: ['172.27.0.8/29'] }],
    },
  }),
]

function reviewed(bytes: Uint8Array): boolean {
  return reviewAdmission(Buffer.from(bytes), kinds, reviewer) !== undefined
}

const conversion = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'ConversionReview',
  request: { uid: 'u', desiredAPIVersion: 'metallb.io/v1beta2', objects: [peer] },
}

function converted(bytes: Uint8Array): boolean {
  const json = parseJson(bytes)
  return json.ok && convertReview(json.value.value) !== undefined
}

const inJson = (...all: readonly unknown[]) => all.map((one) => octetsOf(JSON.stringify(one)))
const yaml = [
  'apiVersion: v1\nkind: Service\nmetadata:\n  name: web\n  labels: {app: web}\nspec:\n  ports:\n' +
    '  - port: 80\n    name: "http"\n  type: LoadBalancer\n',
  'metadata: &a {name: web}\nspec: {ports: [{port: 80}, {port: 0x51}]}\n',
]

export const bodyDecoders: readonly Decoder[] = [
  {
    name: 'a body in JSON',
    templates: texts.map(octetsOf),
    words,
    read: (bytes) => readService(bytes, 'application/json'),
  },
  {
    name: 'a body in YAML',
    templates: yaml.map(octetsOf),
    words,
    read: (bytes) => readService(bytes, 'application/yaml'),
  },
  {
    name: 'a body in protobuf',
    templates: recorded.map(({ sent }) => Uint8Array.from(Buffer.from(sent, 'base64'))),
    read: readProtobuf,
  },
  {
    name: 'a patch',
    templates: inJson({ metadata: { labels: null }, spec: { ports: [] } }, operations),
    words,
    read: patched,
  },
  { name: 'options of a deletion', templates: inJson(options), words, read: readDeletion },
  { name: 'a URL', templates: urls.map(octetsOf), words: ['%00', '..', '//', '%'], read: readUrl },
  { name: 'an AdmissionReview', templates: inJson(...reviews), words, read: reviewed },
  { name: 'a ConversionReview', templates: inJson(conversion), words, read: converted },
]
