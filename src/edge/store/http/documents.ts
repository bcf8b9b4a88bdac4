// What is served beside objects? Discovery, OpenAPI, version and health.
import { aggregated, apiGroup, apiGroups, apiResources, apiVersions } from '../kinds/discovery.ts'
import type { Kinds } from '../kinds/kinds.ts'
import { OpenApi } from '../kinds/openapi.ts'
import { openApiV2Bytes, openApiV2Type } from '../kinds/openapiV2.ts'
import { notServed } from '../write/refusals.ts'
import { type Clause, clausesOf, isJson } from './accept.ts'
import { methodNotAllowed, noPage } from './refusals.ts'
import { bytesReply, jsonReply, type Reply, refusal, textReply } from './reply.ts'
import { isOwnGroup } from './target.ts'

type Question = {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly accept: string | undefined
  /** The Host header. */
  readonly host: string
}

/** The Kubernetes version that we follow; the suffix names this implementation. */
const kubernetes = { major: '1', minor: '36', patch: '3' }

export class Documents {
  readonly #kinds: Kinds
  readonly #openApi: OpenApi
  readonly #build: string
  readonly #problem: () => string | undefined

  /** `build` is the version of this program, `problem` why writes fail. */
  constructor(kinds: Kinds, build: string, problem: () => string | undefined = () => undefined) {
    this.#problem = problem
    this.#kinds = kinds
    this.#openApi = new OpenApi(kinds)
    this.#build = build
  }

  answer(question: Question): Reply {
    const { method, path } = question
    const [root = '', ...rest] = path.replace(/^\//, '').replace(/\/$/, '').split('/')
    if (root === 'healthz' || root === 'livez' || root === 'readyz') {
      const problem = root === 'readyz' ? this.#problem() : undefined
      if (problem !== undefined && rest.length === 0) return notReady(problem)
      return healthOf(root, rest, question.query)
    }
    const answer = this.#read(root, rest, question)
    return method === 'GET' || answer.code === 404 ? answer : refusal(methodNotAllowed)
  }

  #read(root: string, rest: readonly string[], question: Question): Reply {
    if (root === '' && rest.length === 0) return jsonReply(200, { paths: this.#paths() })
    if (root === 'version' && rest.length === 0) return this.#version()
    if (root === 'openapi' && rest.join('/') === 'v2') return this.#olderSchemas(question)
    if (root === 'openapi') return this.#schemas(rest, question.query)
    if (root !== 'api' && root !== 'apis') return refusal(noPage)
    if (rest.length === 0) return this.#groups(root, question)
    const [group = '', version] = root === 'api' ? ['', ...rest] : rest
    const found =
      version === undefined
        ? apiGroup(this.#kinds, group)
        : apiResources(this.#kinds, group, version)
    if (found !== undefined) return jsonReply(200, found)
    return refusal(isOwnGroup(this.#kinds, group) ? notServed : noPage)
  }

  /** The aggregated form for clients that accept it; the Content-Type says which one is sent. */
  #groups(root: 'api' | 'apis', { accept, host }: Question): Reply {
    const version = clausesOf(accept)
      .filter(isJson)
      .map(aggregateOf)
      .find((one) => one !== '')
    if (version === undefined || version === 'none') {
      return jsonReply(200, root === 'api' ? apiVersions(host) : apiGroups(this.#kinds))
    }
    const list = aggregated(this.#kinds, root === 'api' ? 'core' : 'groups')
    const apiVersion = `apidiscovery.k8s.io/${version}`
    const type = `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`
    return { ...jsonReply(200, { ...list, apiVersion }), type, headers: { Vary: 'Accept' } }
  }

  #schemas([version, ...rest]: readonly string[], query: URLSearchParams): Reply {
    if (version !== 'v3') return refusal(noPage)
    if (rest.length === 0) return jsonReply(200, this.#openApi.index())
    const path = rest.join('/')
    const document = this.#openApi.document(path)
    if (document === undefined) return refusal(noPage)
    const { bytes, hash } = document
    const asked = query.get('hash')
    const ETag = `"${hash}"`
    if (asked !== null && asked !== hash) {
      const Location = `/openapi/v3/${path}?hash=${hash}`
      return { ...bytesReply(301, new Uint8Array()), headers: { Location, ETag } }
    }
    // A document with a hash in its URL never changes, so kubectl may cache it.
    const kept = { 'Cache-Control': 'public, immutable', ETag }
    return {
      ...bytesReply(200, bytes),
      headers: asked === null ? { ETag } : kept,
    }
  }

  #olderSchemas({ accept }: Question): Reply {
    const [first] = clausesOf(accept)
    // kubectl writes an @ in place of a dot.
    if (first?.media.replace('@', '.') === openApiV2Type) {
      return { ...bytesReply(200, openApiV2Bytes), type: openApiV2Type }
    }
    const { bytes, hash } = this.#openApi.older()
    return { ...bytesReply(200, bytes), headers: { ETag: `"${hash}"` } }
  }

  #version(): Reply {
    const { major, minor, patch } = kubernetes
    const { version, platform, arch } = process
    return jsonReply(200, {
      major,
      minor,
      emulationMajor: major,
      emulationMinor: minor,
      minCompatibilityMajor: major,
      minCompatibilityMinor: minor,
      gitVersion: `v${major}.${minor}.${patch}+berth-${this.#build}`,
      gitCommit: '',
      gitTreeState: '',
      buildDate: '1970-01-01T00:00:00Z',
      goVersion: `node ${version}`,
      compiler: 'none',
      platform: `${platform}/${arch}`,
    })
  }

  #paths(): readonly string[] {
    const groups = new Set<string>()
    for (const { group, versions } of this.#kinds.all()) {
      const root = group === '' ? '/api' : `/apis/${group}`
      groups.add(root)
      for (const { name } of versions) groups.add(`${root}/${name}`)
    }
    const others = ['/apis', '/healthz', '/livez', '/openapi/v3', '/readyz', '/version']
    return [...groups, ...others].sort()
  }
}

/** '' for a clause that is not supported; 'none' for one that asks for the older form. */
function aggregateOf({ parameters }: Clause): 'v2' | 'v2beta1' | 'none' | '' {
  const [as, group, version] = ['as', 'g', 'v'].map((name) => parameters.get(name))
  if (as === undefined) return 'none'
  if (as !== 'APIGroupDiscoveryList' || group !== 'apidiscovery.k8s.io') return ''
  return version === 'v2' || version === 'v2beta1' ? version : ''
}

/** In the form of Kubernetes. */
const notReady = (problem: string): Reply =>
  textReply(500, `[+]ping ok\n[-]storage failed: ${problem}\nreadyz check failed\n`)

/** Otherwise healthy: the server runs only while its storage is open. */
function healthOf(check: string, rest: readonly string[], query: URLSearchParams): Reply {
  const [part] = rest
  if (rest.length > 1 || (part !== undefined && part !== 'ping')) return refusal(noPage)
  if (!query.has('verbose')) return textReply(200, 'ok')
  return textReply(200, `[+]ping ok\n${check} check passed\n`)
}
