// berth explain: why is it so? One thing, with every rule that has a say.

import { didYouMean } from '../../../core/model/meant.ts'
import { isHostName } from '../../../core/model/names/hostLines.ts'
import { namesNear } from '../../../core/model/namesNear.ts'
import { siteName } from '../../../core/model/site.ts'
import { type Ip, parseIp } from '../../../core/net/ip.ts'
import { explainAddress } from '../../../core/policy/explain/explainAddress.ts'
import { explainIpSet } from '../../../core/policy/explain/explainIpSet.ts'
import { explainName } from '../../../core/policy/explain/explainName.ts'
import { explainPool } from '../../../core/policy/explain/explainPool.ts'
import { explainService } from '../../../core/policy/explain/explainService.ts'
import { explainSite } from '../../../core/policy/explain/explainSite.ts'
import { explainTenant } from '../../../core/policy/explain/explainTenant.ts'
import { namesOfSite } from '../../../core/policy/explain/siteAnswers.ts'
import { nameSources } from '../../../core/policy/names/nameProblems.ts'
import type { Cluster } from '../../../core/sim/cluster.ts'
import { type PlannedServices, planServices } from '../../../core/sim/plannedServices.ts'
import { areForeseen } from '../foreseen.ts'
import { formatted } from '../formatted.ts'
import { givenIn, givenOptions, isGiven } from '../given.ts'
import type { Exit } from '../io.ts'
import { asksLive, liveOptions, liveSettings, withLive } from '../live/liveApi.ts'
import { loadLive } from '../live/loadLive.ts'
import { type Loaded, load, newSession, type Session } from '../load.ts'
import { outputOption } from '../outputOption.ts'
import { tellTroubles } from '../troubles.ts'
import { type Arguments, textOf, UsageError, type Verb } from '../verb.ts'
import { addressText, nowhereText } from './explainAddressText.ts'
import { ipSetText } from './explainIpSetText.ts'
import { nameExplained } from './explainNameText.ts'
import { poolText } from './explainPoolText.ts'
import { serviceText } from './explainServiceText.ts'
import { siteExplained } from './explainSiteText.ts'
import { tenantText } from './explainTenantText.ts'

export const explainVerb: Verb = {
  name: 'explain',
  summary: 'explain a Service, address, pool, tenant, site, host or name, rule by rule',
  usage: [
    'explain service NAMESPACE/NAME -f FILE|DIR... [-o text|json|yaml]',
    'explain address ADDRESS -f FILE|DIR... [-o text|json|yaml]',
    'explain pool NAME -f FILE|DIR... [-o text|json|yaml]',
    'explain tenant NAME -f FILE|DIR... [-o text|json|yaml]',
    'explain site -f FILE|DIR... [-o text|json|yaml]',
    'explain ipset NAMESPACE/NAME -f FILE|DIR... [-o text|json|yaml]',
    'explain name HOSTNAME -f FILE|DIR... [-o text|json|yaml]',
    'explain KIND NAME [--context NAME] [--kubeconfig FILE]',
  ],
  description: `
Applies the manifests to a simulated cluster and explains one object in it. Without -f, it explains
the object in the running API, with decisions that the controller has yet to make. Nothing is
written.

  service  what it asks for, what every rule says about every pool (the first objection is marked),
           its address or why it waits and the remedy, and which nodes announce it or why not
  address  its pool, its holders, who reserved it, who else uses it, and which Services wait for it
  pool     its definition, how full it is, which Services hold its addresses and which wait, what
           announces it, and its problems
  tenant   its namespaces, networks and pools, which Services hold addresses or wait, what was
           made from it, and its problems
  site     its VIPs and who announces them, what each phase of a move waits for, its names and
           routes, its problems, and the next command
  ipset    its address on each network, or why it has none and the remedy
  name     which DNSData, Services, ConfigMaps and Site give the host name its addresses, and what
           each DNSMasq answers

Exit status: 0 found; 1 not found, something could not be read or would be refused (standard error
names its line, and the rest is explained), or the API could not be reached.`,
  examples: [
    'berth explain service openstack2/rabbitmq-cell1 -f examples/cluster',
    'berth explain svc web -n shop -f examples/cluster',
    'berth explain address 192.168.10.215 -f examples/cluster -o json',
    'berth explain pool lan -f examples/cluster',
    'berth explain tenant openstack2 -f examples/cluster',
    'berth explain site -f examples/relocatable/site-here.yaml',
    'berth explain service shop/web --context production',
    'berth explain ipset openstack/edpm-compute-0',
    'berth explain name keystone-internal.openstack.svc',
  ],
  words: ['service', 'address', 'pool', 'tenant', 'site', 'ipset', 'name'],
  unlisted: ['svc'],
  takes: 2,
  names: {
    ...{ service: 'service', svc: 'service', address: 'address' },
    ...{ pool: 'pool', tenant: 'tenant', ipset: 'ipset' },
  },
  options: {
    ...givenOptions,
    ...liveOptions,
    namespace: {
      type: 'string',
      short: 'n',
      value: 'NAMESPACE',
      help: 'namespace, if NAME has none (default: that of the context)',
      names: 'namespace',
    },
    output: outputOption(['text', 'json', 'yaml']),
  },
  async run(args, io): Promise<Exit> {
    const asked = questionOf(args, 'default')
    const [given, format] = [givenIn(args), textOf(args, 'output')]
    if (isGiven(given)) {
      if (asksLive(args))
        throw new UsageError(
          '-f and -k read files, and --context and --kubeconfig a running API: give only one',
        )
      const session = await newSession(io, liveSettings(args, io))
      session.cluster.knowsNmstate = true
      return tell({ question: asked, session, format, loaded: await load(session, given) })
    }
    const session = await newSession(io, liveSettings(args, io))
    session.cluster.knowsNmstate = true
    return withLive(args, io, async ({ api, connection }) => {
      const question = questionOf(args, connection.namespace)
      return tell({ question, session, format, loaded: await loadLive(session, api) })
    })
  },
}

type Question =
  | { readonly kind: 'Service'; readonly name: string }
  | { readonly kind: 'Address'; readonly name: Ip }
  | { readonly kind: 'Pool'; readonly name: string }
  | { readonly kind: 'Tenant'; readonly name: string }
  | { readonly kind: 'Site'; readonly name: string }
  | { readonly kind: 'Name'; readonly name: string }
  | { readonly kind: 'IPSet'; readonly name: string }

type Told = { readonly isFound: boolean; readonly text: string; readonly explained: object }

type Asked = {
  readonly question: Question
  readonly session: Session
  readonly loaded: Loaded
  readonly format: string
}

function tell({ question, session: { cluster, io }, loaded, format }: Asked): Exit {
  const planned = planServices(cluster)
  const troubles = tellTroubles([loaded], io)
  const told = answerTo(question, { cluster, planned, isForeseen: areForeseen(loaded) })
  const data = formatted(viewOf(question, told), format)
  if (data !== undefined) io.out(data)
  else if (told.isFound) io.out(told.text)
  if (!told.isFound) io.err(`berth: ${told.text}`)
  return told.isFound && troubles === 0 ? 0 : 1
}

function questionOf(args: Arguments, defaultNamespace: string): Question {
  const [what, name] = args.positionals
  // There is only one.
  if (what === 'site') return { kind: 'Site', name: name ?? siteName }
  if (name === undefined) throw new UsageError(`say which ${what}`)
  if (what === 'service' || what === 'svc') {
    return { kind: 'Service', name: keyOf(name, textOf(args, 'namespace'), defaultNamespace) }
  }
  if (what === 'ipset') {
    return { kind: 'IPSet', name: keyOf(name, textOf(args, 'namespace'), defaultNamespace) }
  }
  if (what === 'pool') return { kind: 'Pool', name }
  if (what === 'tenant') return { kind: 'Tenant', name }
  if (what === 'name') return { kind: 'Name', name }
  const ip = parseIp(name)
  if (!ip.ok) throw new UsageError(ip.why)
  return { kind: 'Address', name: ip.value }
}

function keyOf(name: string, namespace: string, defaultNamespace: string): string {
  if (!name.includes('/')) return `${namespace || defaultNamespace}/${name}`
  if (namespace === '' || name.startsWith(`${namespace}/`)) return name
  throw new UsageError(`${name} is not in the namespace of -n ${namespace}`)
}

type Settled = {
  readonly cluster: Cluster
  readonly planned: PlannedServices
  readonly isForeseen: boolean
}

function answerTo(question: Question, settled: Settled): Told {
  const { cluster, isForeseen } = settled
  if (question.kind === 'Address') return addressTold(cluster, question.name, isForeseen)
  if (question.kind === 'Name') return nameTold(cluster, question.name)
  if (question.kind === 'Site') return siteTold(cluster, question.name)
  if (question.kind === 'Tenant') return tenantTold(cluster, question.name)
  if (question.kind === 'IPSet') return ipSetTold(cluster, question.name)
  return question.kind === 'Pool'
    ? poolTold(cluster, question.name)
    : serviceTold(settled, question.name)
}

function addressTold(cluster: Cluster, ip: Ip, isForeseen: boolean): Told {
  const explained = explainAddress(cluster.world, cluster.speakers(), ip)
  const { isFound } = explained
  const text = isFound ? addressText(explained, isForeseen) : nowhereText(explained)
  return { isFound, text, explained: { ...explained, isForeseen } }
}

function serviceTold({ cluster, planned, isForeseen }: Settled, key: string): Told {
  const { world } = cluster
  const explained = explainService(world, cluster.speakers(), key)
  if (explained !== undefined) {
    const taken = takenFrom(cluster, key)
    const plan = planned.get(`Service/${key}`)
    const plannedBy = plan === undefined || plan.isThere ? '' : plan.by
    return {
      isFound: true,
      text: serviceText(explained, { taken, plannedBy, isForeseen }),
      explained: { ...explained, taken, plannedBy, isForeseen },
    }
  }
  const name = key.slice(key.indexOf('/'))
  const keys = [...world.services.keys()]
  const namesakes = keys.filter((other) => other.endsWith(name)).sort()
  return missing(`Service ${key}`, [...namesakes, ...namesNear(key, keys)], keys)
}

/** Why it loses what its status shows, where the decision takes that away. */
const takenFrom = (cluster: Cluster, key: string): readonly string[] =>
  cluster
    .takeEvents()
    .filter((event) => event.key === key && event.reason === 'ClearAssignment')
    .map(({ message }) => message)

function poolTold(cluster: Cluster, name: string): Told {
  const { world } = cluster
  const explained = explainPool(world, cluster.speakers(), name)
  if (explained !== undefined) return { isFound: true, text: poolText(explained), explained }
  const names = [...world.pools.keys()]
  const serving = world.poolIndex.answering(name).map((pool) => pool.name)
  return missing(`pool ${name}`, [...serving, ...namesNear(name, names)], names)
}

function tenantTold(cluster: Cluster, name: string): Told {
  const { world } = cluster
  const explained = explainTenant(world, cluster.speakers(), name)
  if (explained !== undefined) return { isFound: true, text: tenantText(explained), explained }
  const names = [...world.all('Tenant').keys()]
  return missing(`tenant ${name}`, namesNear(name, names), names)
}

function siteTold(cluster: Cluster, name: string): Told {
  const { world } = cluster
  const explained = name === siteName ? explainSite(world, cluster.speakers()) : undefined
  if (explained !== undefined) return { isFound: true, text: siteExplained(explained), explained }
  const names = [...world.all('Site').keys()]
  return missing(`Site ${name}`, names, names)
}

function ipSetTold({ world }: Cluster, key: string): Told {
  const explained = explainIpSet(world, key)
  if (explained !== undefined) return { isFound: true, text: ipSetText(explained), explained }
  const keys = [...world.all('IPSet').keys()]
  return missing(`IPSet ${key}`, namesNear(key, keys), keys)
}

/** A name that nobody gives has an answer too: what servers do with it. */
function nameTold({ world }: Cluster, name: string): Told {
  const explained = explainName(world, name)
  if (explained === undefined) throw new UsageError(`${JSON.stringify(name)} is not a host name`)
  if (explained.given.length > 0)
    return { isFound: true, text: nameExplained(explained), explained }
  const names = nameSources(world).flatMap(({ hosts }) => hosts.flatMap((one) => one.hostnames))
  const all = [
    ...new Set([...names.filter(isHostName), ...namesOfSite(world).map((one) => one.name)]),
  ]
  return { ...missing(`name ${name}`, namesNear(name, all), all), explained }
}

/** Where nothing is close, some that are there show what names look like. */
function missing(what: string, near: readonly string[], there: readonly string[]): Told {
  const close = [...new Set(near)]
  const some = [...there].sort().slice(0, 3).join(', ')
  const other = some === '' ? ', nor any other' : `; there are others, such as ${some}`
  const hint = close.length === 0 ? other : didYouMean(close)
  return { isFound: false, text: `there is no ${what}${hint}\n`, explained: { close } }
}

/** Plain data under a named schema. */
const viewOf = ({ kind, name }: Question, { isFound, explained }: Told): object => ({
  ...{ schema: 'berth.dev/explain/v1', kind, name, isFound },
  ...explained,
})
