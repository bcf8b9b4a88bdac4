// berth migrate check: what prevents a cluster from switching from MetalLB? Nothing is written.
import { counted } from '../../../core/net/counted.ts'
import type { Api } from '../../../edge/kube/api/client.ts'
import { ApiError } from '../../../edge/kube/api/fault.ts'
import { ifThere } from '../../../edge/kube/api/notFound.ts'
import { pathOf, type Resource } from '../../../edge/kube/api/resource.ts'
import { metaOf } from '../../../edge/kube/decode/decodeMeta.ts'
import { Fields } from '../../../edge/kube/decode/fields.ts'
import { type KindName, resourceOf } from '../../../edge/kube/kinds.ts'
import { formatted } from '../formatted.ts'
import type { Exit, Io } from '../io.ts'
import { listAll } from '../live/listAll.ts'
import { loadLive } from '../live/loadLive.ts'
import type { Session } from '../load.ts'
import { wrapped } from '../wrapped.ts'
import { bgpFindings, usesLayer2 } from './checkBgp.ts'
import { definitionFindings, metallbDefinitions } from './checkDefinitions.ts'
import type { CheckFinding } from './checkFinding.ts'
import { gitopsFindings, suspendFindings } from './checkGitops.ts'
import { manifestFindings, releaseFindings, unreadFindings } from './checkOwners.ts'
import { webhookFindings } from './checkWebhooks.ts'
import { controllerFindings, elsewhereFindings, speakerFindings } from './checkWorkloads.ts'
import { configuredKinds } from './configuredKinds.ts'
import { needsFrr } from './frrUse.ts'
import { releasesIn, unreadReleases } from './helmRelease.ts'
import { controllersIn, speakersIn, type Workload } from './metallb.ts'

export async function migrateCheck(api: Api, session: Session, format: string): Promise<Exit> {
  const findings = await checkFindings(api, session)
  const { io } = session
  const view = { schema: 'berth.dev/migrate-check/v1', findings }
  io.out(formatted(view, format) ?? checkText(findings))
  return findings.some(({ severity }) => severity === 'error') ? 2 : 0
}

/** In the order to fix them: first what needs a running MetalLB, then MetalLB itself. */
async function checkFindings(api: Api, session: Session): Promise<CheckFinding[]> {
  const { io, cluster } = session
  const list = (kind: KindName) => listAll(api, resourceOf(kind), io.signal)
  const optional = (resource: Resource) => orNone(api, resource, io)
  await loadLive(session, api)
  const { world } = cluster
  const definitions = metallbDefinitions(await list('CustomResourceDefinition'))
  const deployments = await list('Deployment')
  const isHere = (one: Workload) => one.namespace === world.ownNamespace
  const controllers = controllersIn(deployments).filter(isHere)
  const daemonSets = await list('DaemonSet')
  const speakers = speakersIn(daemonSets).filter(isHere)
  const objectsOf = (all: readonly Workload[]) => all.map(({ object }) => object)
  const workloads = objectsOf([...controllers, ...speakers])
  const frrConfigurations = await optional(resourceOf('FRRConfiguration'))
  const hasFrr = needsFrr(frrConfigurations, daemonSets)
  const [one = speakers[0]] = controllers
  const written = (kind: KindName, objects: readonly Fields[]) => wholes(api, kind, objects)
  const configured = configuredKinds.map(async (kind) => {
    const objects = await optional(resourceOf(kind))
    return written(
      kind,
      objects.map((json) => new Fields(json, [])),
    )
  })
  const selector = { labelSelector: 'owner=helm' }
  const secrets = await optional({ ...resourceOf('Secret'), selector })
  return [
    ...elsewhereFindings(world.ownNamespace, controllers, deployments),
    ...releaseFindings(releasesIn(secrets, hasFrr)),
    ...unreadFindings(unreadReleases([...definitions, ...workloads], secrets)),
    ...suspendFindings([
      ...(await written('Deployment', objectsOf(controllers))),
      ...(await written('DaemonSet', objectsOf(speakers))),
    ]),
    ...gitopsFindings([
      ...(await written('CustomResourceDefinition', definitions)),
      ...(await Promise.all(configured)).flat(),
    ]),
    ...definitionFindings(definitions, world.all('BGPPeer').size),
    ...controllerFindings(controllers),
    ...webhookFindings(await list('ValidatingWebhookConfiguration')),
    ...speakerFindings(speakers, { layer2: usesLayer2(world) }),
    ...bgpFindings(world, speakers, {
      configMaps: await optional(resourceOf('ConfigMap', world.ownNamespace)),
      frrConfigurations,
    }),
    ...(one?.installedBy === 'manifests' ? manifestFindings(one.namespace) : []),
  ]
}

/** With what lists leave out: who writes them. */
function wholes(api: Api, kind: KindName, objects: readonly Fields[]): Promise<Fields[]> {
  return Promise.all(
    objects.map(async (object) => {
      const { name, namespace } = metaOf(object)
      const path = pathOf(resourceOf(kind, namespace === '' ? undefined : namespace), name)
      return new Fields((await ifThere(api.call({ method: 'GET', path }))) ?? {}, [])
    }),
  )
}

/** Where we may not look, that is said, and the rest is checked all the same. */
async function orNone(api: Api, resource: Resource, io: Io): Promise<readonly unknown[]> {
  try {
    return await listAll(api, resource, io.signal)
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 403) throw error
    io.err(`berth: not checked: ${error.message}\n`)
    return []
  }
}

/** Each command is on one line, to be copied. */
function checkText(findings: readonly CheckFinding[]): string {
  if (findings.length === 0) return "nothing in MetalLB's configuration prevents the switch\n"
  const entries = findings.map(({ severity, code, object, message, fixes }) =>
    [
      `${severity} ${code} ${object}`,
      ...wrapped(message, 2),
      ...fixes.map((fix) => `  fix: ${fix}`),
      '',
    ].join('\n'),
  )
  const errors = findings.filter(({ severity }) => severity === 'error').length
  const sum = errors === 0 ? 'none blocks the switch' : `${errors} to fix before the switch`
  return `${entries.join('\n')}\n${counted(findings.length, 'finding')}, ${sum}\n`
}
