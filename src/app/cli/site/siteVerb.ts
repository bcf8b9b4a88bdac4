// berth site: the external addresses of a cluster that moves from place to place (R6).
import { Bug } from '../../../core/model/bug.ts'
import { type Json, recordAt } from '../../../core/model/json.ts'
import { parseIp } from '../../../core/net/ip.ts'
import { decodeSite } from '../../../edge/kube/decode/decodeSite.ts'
import { Fields } from '../../../edge/kube/decode/fields.ts'
import type { Exit, Io } from '../io.ts'
import { liveOptions, liveSettings, withCluster, withLive } from '../live/liveApi.ts'
import { newSession } from '../load.ts'
import { type Arguments, isSet, textOf, UsageError, type Verb } from '../verb.ts'
import { tellingFaults } from '../writeInFolder.ts'
import { applySite } from './siteApply.ts'
import { externalFrom, externalOptions, siteIn, wantedSite } from './siteArguments.ts'
import { commitSite, rollbackSite, siteStatus, told } from './siteMove.ts'
import { externalIn, moveOf, noSite, readSite } from './siteObject.ts'
import { planSite } from './sitePlan.ts'
import { renderSite } from './siteRender.ts'
import { type Verified, verifySite } from './siteVerify.ts'

export const siteVerb: Verb = {
  name: 'site',
  summary: 'move a cluster to another network: plan, apply, verify, commit or roll back',
  usage: [
    'site plan -f FILE | --api-vip ADDRESS --ingress-vip ADDRESS [...]',
    'site apply -f FILE | --api-vip ADDRESS --ingress-vip ADDRESS [...] [--within 10m]',
    'site verify [-f FILE | --api-vip ADDRESS --ingress-vip ADDRESS [...]] [--dns SERVER]',
    'site commit | rollback | status',
    'site render -f FILE [--for berth|metallb] [--output-dir DIR]',
  ],
  description: `
A Site has one address for the API and one for ingress in the network that the cluster is connected
to. A move to another network has stages:

  plan      shows the Services, names and routes that would change. Nothing is written.
  apply     asks on the wire whether the new addresses are free and the gateway answers, and whether
            machines in the internal network answer for a node's address; then changes the Site.
            Run it on a node. Unless the move is committed within --within, the controller restores
            the old addresses by itself, also after a restart of everything.
  verify    asks as a client would: ARP, TCP, the name in the certificate of the API, DNS, and
            whether the gateway answers. Run it on a machine in the external network. With a file
            or with both VIPs it needs no access to the API.
  commit    keeps the new addresses.
  rollback  restores the old ones now.
  status    shows the addresses in effect, what was made from them, and until when to commit.

Flags describe the new external network as a whole; only --interface, --base-domain and --announce
are kept from before if they are not given. 'render' prints the manifests for the extra-manifests
folder of an installer: the Site itself, or with --for metallb what MetalLB needs instead of it.

Exit status: 0 done, or nothing to do; 2 plan: something would change, apply: the wire is not free,
verify: something does not answer; 1 refused, too late, or the API could not be reached.`,
  examples: [
    'berth site plan --api-vip 203.0.113.10 --ingress-vip 203.0.113.11 --prefix-length 24',
    'sudo berth site apply -f site.yaml --within 10m --kubeconfig ~/.kube/config',
    'berth site verify --dns 203.0.113.1',
    'berth site commit',
    'berth site render -f site.yaml --for metallb --output-dir openshift',
  ],
  words: ['plan', 'apply', 'verify', 'commit', 'rollback', 'status', 'render'],
  takes: 1,
  options: {
    ...externalOptions,
    ...liveOptions,
    within: {
      type: 'string',
      value: 'TIME',
      help: 'time to commit, such as 10m (default) or 90s; 0 commits at once',
    },
    'no-probe': { type: 'boolean', help: 'apply without asking on the wire' },
    dns: {
      type: 'string',
      value: 'SERVER',
      help: "DNS server for verify; by default the system's",
    },
    for: {
      type: 'string',
      value: 'WHOM',
      choices: ['berth', 'metallb'],
      help: 'whose manifests to render (default berth)',
    },
    'output-dir': { type: 'string', value: 'DIR', help: 'write one file for each object there' },
  },
  async run(args, io): Promise<Exit> {
    const run = stages[args.positionals[0] ?? '']
    if (run === undefined) throw new Bug('a word of site is a stage')
    return run(args, io)
  },
}

type Stage = (args: Arguments, io: Io) => Promise<Exit>

const stages: Readonly<Record<string, Stage | undefined>> = {
  plan: (args, io) =>
    withLive(args, io, async ({ api }) => {
      const wanted = await wantedSite(args, io, await readSite(api))
      if (wanted === undefined) return told(io, noSite)
      return planSite(await newSession(io, liveSettings(args, io)), api, wanted)
    }),
  apply(args, io) {
    const withinMs = withinOf(args)
    return withCluster(args, io, async ({ api }) => {
      const there = await readSite(api)
      const wanted = await wantedSite(args, io, there)
      if (wanted === undefined) return told(io, noSite)
      const isProbed = !isSet(args, 'no-probe')
      const named = textOf(args, 'interface')
      return applySite(api, { wanted, there, withinMs, isProbed, interface: named }, io)
    })
  },
  async verify(args, io) {
    const given = externalFrom(args)
    const [file, dnsServer] = [textOf(args, 'file'), dnsOf(args)]
    if (given !== undefined || file !== '') {
      const site = file === '' ? {} : await siteIn(file, io)
      const verified = verifiedOf(withExternal(site, given ?? {}), dnsServer)
      if (verified === undefined) throw new UsageError('name both VIPs, in the file or with flags')
      return verifySite(verified, io)
    }
    return withLive(args, io, async ({ api }) => {
      const site = await readSite(api)
      if (site === undefined) return told(io, noSite)
      const { state, before } = moveOf(site)
      const external = state === 'RolledBack' ? before : externalIn(site)
      const counting = { ...site, spec: { ...recordAt(site, 'spec'), external, move: undefined } }
      const verified = verifiedOf(counting, dnsServer)
      if (verified === undefined) return told(io, 'the Site has no external addresses to verify')
      return verifySite(verified, io)
    })
  },
  commit: (args, io) => withCluster(args, io, ({ api }) => commitSite(api, io)),
  rollback: (args, io) => withCluster(args, io, ({ api }) => rollbackSite(api, io)),
  status: (args, io) => withLive(args, io, ({ api }) => siteStatus(api, io)),
  async render(args, io) {
    const file = textOf(args, 'file')
    if (file === '') throw new UsageError('name the file with the Site: -f FILE')
    const site = await siteIn(file, io)
    const given = externalFrom(args)
    const whole = given === undefined ? site : withExternal(site, given)
    const forWhom = textOf(args, 'for') === 'metallb' ? 'metallb' : 'berth'
    const session = await newSession(io, liveSettings(args, io))
    const rendering = { site: whole, forWhom, folder: textOf(args, 'output-dir') } as const
    return tellingFaults(io, () => renderSite(session, rendering))
  },
}

/** The image's file has none, and gets them from flags. */
const withExternal = (site: Json, given: Json): Json => {
  const spec = recordAt(site, 'spec')
  return { ...site, spec: { ...spec, external: { ...recordAt(spec, 'external'), ...given } } }
}

function verifiedOf(site: Json, dnsServer: string): Verified | undefined {
  const { external, api, ingress } = decodeSite(new Fields(site, []))
  if (external === undefined) return undefined
  const pairs = [external, external.secondary].flatMap((pair) => pair ?? [])
  const apiVIPs = pairs.flatMap(({ apiVIP }) => apiVIP ?? [])
  const ingressVIPs = pairs.flatMap(({ ingressVIP }) => ingressVIP ?? [])
  if (apiVIPs.length === 0 || ingressVIPs.length === 0) return undefined
  return {
    apiVIPs,
    ingressVIPs,
    apiPort: api.ports[0] ?? 6443,
    ingressPorts: ingress.ports,
    baseDomain: external.baseDomain,
    dnsServer,
    gateways: pairs.flatMap(({ gateway }) => gateway ?? []),
  }
}

function dnsOf(args: Arguments): string {
  const text = textOf(args, 'dns')
  const [, bare = text] = /^\[?([^\]]*?)\]?(?::\d{1,5})?$/.exec(text) ?? []
  if (text === '' || parseIp(text).ok || parseIp(bare).ok) return text
  throw new UsageError(`--dns is the address of a DNS server, not ${JSON.stringify(text)}`)
}

function withinOf(args: Arguments): number {
  const text = textOf(args, 'within') || '10m'
  const [, number, unit = ''] = /^(\d{1,6})(s|m|h)?$/.exec(text) ?? []
  const ms = { s: 1_000, m: 60_000, h: 3_600_000 }[unit || 's']
  if (number === undefined || ms === undefined) {
    throw new UsageError(`--within is a time such as 10m or 90s, not ${JSON.stringify(text)}`)
  }
  return Number(number) * ms
}
