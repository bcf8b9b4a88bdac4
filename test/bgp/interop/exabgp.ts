// ExaBGP as the other side: it has no table, but says in JSON what it decodes.
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '../../kube/waits.ts'
import type { Path } from '../router.ts'
import type { Router } from './router.ts'
import { places, type Stand } from './stand.ts'

type Message = {
  readonly type: string
  readonly neighbor?: {
    readonly message?: { readonly update?: Update; readonly notification?: object }
  }
}
type Update = {
  readonly attribute?: Readonly<Record<string, unknown>>
  readonly announce?: Readonly<
    Record<string, Readonly<Record<string, readonly { nlri: string }[]>>>
  >
  readonly withdraw?: Readonly<Record<string, readonly { nlri: string }[]>>
}

export async function startExabgp(stand: Stand): Promise<Router> {
  const { folder } = stand
  const [file, out, script] = ['exabgp.conf', 'said', 'keep.sh'].map((name) => join(folder, name))
  // It is taken for dead once it closes its own output.
  const keep = `while IFS= read -r line; do printf '%s\\n' "$line" >> ${out}; done`
  writeFileSync(`${script}`, `#!/bin/sh\n${keep}\n`)
  chmodSync(`${script}`, 0o755)
  writeFileSync(
    `${file}`,
    `process keep { run ${script}; encoder json; }
neighbor ${places.node.four} {
  router-id ${places.router.four};
  local-address ${places.router.four};
  local-as 64513;
  peer-as 64512;
  md5-password "interop";
  passive true;
  listen 179;
  family { ipv4 unicast; ipv6 unicast; }
  capability { route-refresh; }
  api { processes [ keep ]; neighbor-changes; receive { parsed; update; } }
}
`,
  )
  const quiet = ['exabgp.log.level=CRIT', 'exabgp.daemon.user=root', 'exabgp.api.cli=false']
  stand.start('router', 'env', ...quiet, 'exabgp.tcp.bind=10.77.0.1', 'exabgp', `${file}`)
  const said = (): readonly Message[] =>
    existsSync(`${out}`)
      ? readFileSync(`${out}`, 'utf8')
          .split('\n')
          .flatMap((line) =>
            line.startsWith('{') && line.endsWith('}') ? [JSON.parse(line) as Message] : [],
          )
      : []
  const table = (): ReadonlyMap<string, Path> => {
    const paths = new Map<string, Path>()
    for (const { neighbor } of said()) {
      const update = neighbor?.message?.update
      for (const gone of Object.values(update?.withdraw ?? {}).flat()) paths.delete(gone.nlri)
      for (const byHop of Object.values(update?.announce ?? {})) {
        for (const [nextHop, routes] of Object.entries(byHop)) {
          for (const { nlri } of routes) paths.set(nlri, pathOf(nextHop, update?.attribute ?? {}))
        }
      }
    }
    return paths
  }
  const isListening = () => stand.run('router', 'ss', '-tln').includes(':179 ')
  await until('ExaBGP', () => (isListening() ? true : undefined))
  return {
    paths(prefix) {
      const path = table().get(prefix)
      return path === undefined ? [] : [path]
    },
    count: () => [...table().keys()].filter((prefix) => !prefix.includes(':')).length,
    lastWords: () => JSON.stringify(said().slice(-3)),
  }
}

function pathOf(nextHop: string, attribute: Readonly<Record<string, unknown>>): Path {
  const listed = (name: string): readonly string[] => {
    const value = (attribute[name] ?? []) as readonly (readonly number[])[]
    return value.map((numbers) => numbers.join(':'))
  }
  const asPath = attribute['as-path']
  return {
    nextHop,
    origin: String(attribute['origin'] ?? '').toUpperCase(),
    asPath: Array.isArray(asPath) ? asPath.join(' ') : JSON.stringify(asPath),
    med: attribute['med'] as number | undefined,
    localPref: undefined,
    communities: [...listed('community'), ...listed('large-community')],
  }
}
