// ExaBGP as the other side: it has no table, but says in JSON what it decodes.
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '../../kube/waits.ts'
import type { Path } from '../router.ts'
import type { Router, Transport } from './router.ts'
import { killed, places, type Stand } from './stand.ts'

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

export async function startExabgp(
  stand: Stand,
  _: string,
  { transport = 'four' }: { readonly transport?: Transport } = {},
): Promise<Router> {
  const { folder } = stand
  const [file, out, script] = [
    join(folder, 'exabgp.conf'),
    join(folder, 'said'),
    join(folder, 'keep.sh'),
  ]
  // It is taken for dead once it closes its own output.
  const keep = `while IFS= read -r line; do printf '%s\\n' "$line" >> ${out}; done`
  writeFileSync(`${script}`, `#!/bin/sh\n${keep}\n`)
  chmodSync(`${script}`, 0o755)
  const write = (password: string): void =>
    writeFileSync(
      file,
      `process keep { run ${script}; encoder json; }
neighbor ${places.node[transport]} {
  router-id ${places.router.four};
  local-address ${places.router[transport]};
  local-as 64513;
  peer-as 64512;
  md5-password "${password}";
  passive true;
  listen 179;
  family { ipv4 unicast; ipv6 unicast; }
  capability { route-refresh; }
  api { processes [ keep ]; neighbor-changes; receive { parsed; update; } }
}
`,
    )
  write('interop')
  const quiet = ['exabgp.log.level=CRIT', 'exabgp.daemon.user=root', 'exabgp.api.cli=false']
  const bind = `exabgp.tcp.bind=${places.router[transport]}`
  const start = () => stand.start('router', 'env', ...quiet, bind, 'exabgp', file)
  let exabgp = start()
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
  const isThere = () => until('ExaBGP', () => (isListening() ? true : undefined))
  await isThere()
  return {
    paths(prefix) {
      const path = table().get(prefix)
      return path === undefined ? [] : [path]
    },
    count: () => [...table().keys()].filter((prefix) => !prefix.includes(':')).length,
    rekey(password) {
      write(password)
      exabgp.kill('SIGUSR1')
    },
    async restart() {
      await killed(exabgp)
      rmSync(out, { force: true })
      exabgp = start()
      await isThere()
    },
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
