// berth site render: the manifests of a Site for an installer's extra-manifests folder, for Berth
// or for MetalLB alone.
import { type Json, recordAt, textAt } from '../../../core/model/json.ts'
import { externalOf, siteName } from '../../../core/model/site.ts'
import { siteObjects } from '../../../core/policy/made/site/siteObjects.ts'
import { routeCommands } from '../../../core/policy/made/site/siteRoutes.ts'
import { toYaml } from '../../../edge/manifests/toYaml.ts'
import type { Exit } from '../io.ts'
import type { Session } from '../load.ts'
import { writeInFolder } from '../writeInFolder.ts'

type Rendering = {
  readonly site: Json
  readonly forWhom: 'berth' | 'metallb'
  /** Empty: standard output. */
  readonly folder: string
}

export async function renderSite(session: Session, rendering: Rendering): Promise<Exit> {
  const { cluster, io } = session
  const applied = cluster.apply(rendering.site)
  if (!applied.ok) {
    for (const { path, message } of applied.errors) {
      io.err(`berth: Site/${siteName}: ${path}: ${message}\n`)
    }
    return 1
  }
  const { world } = cluster
  const view = world.all('Site').get(siteName)
  const made = view === undefined ? [] : siteObjects(world, view)
  const objects = rendering.forWhom === 'berth' ? [plain(rendering.site)] : made.map(forMetallb)
  if (objects.length === 0) {
    io.err('berth: the Site has no external addresses yet, so there is nothing for MetalLB to do\n')
    return 0
  }
  const external = view === undefined ? undefined : externalOf(view)
  if (rendering.forWhom === 'metallb' && external !== undefined) {
    const commands = routeCommands(world, external)
    if (commands.length > 0) io.err(leftOutText(commands))
  }
  if (rendering.folder === '') {
    io.out(objects.map(toYaml).join('---\n'))
    return 0
  }
  for (const object of objects) {
    io.out(`${await writeInFolder(rendering.folder, fileOf(object), toYaml(object))}\n`)
  }
  return 0
}

const leftOutText = (commands: readonly string[]): string =>
  'The routes of the Site are left out, since MetalLB makes none. Add them to the network ' +
  `configuration of every node:\n${commands.map((command) => `  ${command}\n`).join('')}`

/** Installers apply a folder in the order of its names: what others refer to comes first. */
const ranks: Readonly<Record<string, string>> = { Site: '50', IPAddressPool: '51', Service: '53' }

const fileOf = (object: Json): string => {
  const kind = textAt(object, 'kind')
  const name = textAt(recordAt(object, 'metadata'), 'name')
  return `${ranks[kind] ?? '52'}-${kind.toLowerCase()}-${name}.yaml`
}

const plain = ({ status: _, ...site }: Json): Json => site

/** It has no owner there, and Berth does not maintain it. */
function forMetallb(object: Readonly<Record<string, unknown>>): Json {
  const { ownerReferences: _, labels: __, ...metadata } = recordAt(object, 'metadata')
  return { ...object, metadata }
}
