// Which defaults does a Pod get? Those of Kubernetes, also in a template.
import type { JsonObject } from '../../../../core/model/gate.ts'
import { recordOf, recordsOf, textOf } from '../../values/jsonRead.ts'
import { changed } from '../jsonChange.ts'

/** Pods do not run here, so fields that need a node, an account or a priority are not set. */
export function podSpecDefaults(spec: JsonObject): JsonObject {
  // Two names of the same field; the second is the older one.
  const account = spec['serviceAccountName'] ?? spec['serviceAccount']
  return changed(
    {
      restartPolicy: 'Always',
      dnsPolicy: 'ClusterFirst',
      terminationGracePeriodSeconds: 30,
      securityContext: {},
      schedulerName: 'default-scheduler',
      ...spec,
    },
    {
      containers: containersIn(spec, 'containers'),
      initContainers: containersIn(spec, 'initContainers'),
      serviceAccountName: account,
      serviceAccount: account,
      volumes: spec['volumes'] && recordsOf(spec['volumes']).map(volumeDefaults),
    },
  )
}

const containersIn = (spec: JsonObject, name: string): unknown =>
  spec[name] && recordsOf(spec[name]).map(containerDefaults)

function containerDefaults(container: JsonObject): JsonObject {
  const { image, ports, lifecycle } = container
  return changed(
    {
      resources: {},
      terminationMessagePath: '/dev/termination-log',
      terminationMessagePolicy: 'File',
      imagePullPolicy: isLatest(textOf(image)) ? 'Always' : 'IfNotPresent',
      ...container,
    },
    {
      ports: ports && recordsOf(ports).map((port) => ({ protocol: 'TCP', ...port })),
      livenessProbe: probeDefaults(container['livenessProbe']),
      readinessProbe: probeDefaults(container['readinessProbe']),
      startupProbe: probeDefaults(container['startupProbe']),
      lifecycle: lifecycle && lifecycleDefaults(recordOf(lifecycle)),
    },
  )
}

/** Without a tag, or with `latest`. */
function isLatest(image: string): boolean {
  const name = image.slice(image.lastIndexOf('/') + 1)
  return !name.includes('@') && (!name.includes(':') || name.endsWith(':latest'))
}

function probeDefaults(probe: unknown): unknown {
  if (probe === undefined) return undefined
  const given = recordOf(probe)
  const usual = { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 }
  return withHttpGet({ ...usual, ...given })
}

function withHttpGet(handler: JsonObject): JsonObject {
  const { httpGet } = handler
  if (httpGet === undefined) return handler
  return { ...handler, httpGet: { path: '/', scheme: 'HTTP', ...recordOf(httpGet) } }
}

const lifecycleDefaults = (lifecycle: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(lifecycle).map(([name, handler]) => [
      name,
      typeof handler === 'object' ? withHttpGet(recordOf(handler)) : handler,
    ]),
  )

const withModes = ['secret', 'configMap', 'downwardAPI', 'projected']

function volumeDefaults(volume: JsonObject): JsonObject {
  if (Object.keys(volume).every((name) => name === 'name')) return { ...volume, emptyDir: {} }
  const filled = withModes
    .filter((source) => volume[source] !== undefined)
    .map((source) => [source, { defaultMode: 0o644, ...recordOf(volume[source]) }])
  const { hostPath } = volume
  const path = hostPath === undefined ? {} : { hostPath: { type: '', ...recordOf(hostPath) } }
  return { ...volume, ...Object.fromEntries(filled), ...path }
}
