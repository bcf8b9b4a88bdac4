// In which file and line is the object of a finding? In its manifest, or in that of its creator.
import { siteMaker } from '../../../core/model/sitePools.ts'
import type { ReadonlyWorld } from '../../../core/model/world.ts'
import type { Location, LocationOf } from '../../../core/policy/lint/lintFinding.ts'
import type { Manifest } from '../../../edge/manifests/manifest.ts'

type Manifests = Pick<ReadonlyMap<string, Manifest>, 'get'>

const nowhere: Location = { file: '', line: 0 }

export function locationsIn(manifests: Manifests, world: ReadonlyWorld): LocationOf {
  return (object, field) => {
    const own = manifests.get(object) ?? manifests.get(withoutDefault(object))
    if (own !== undefined) return locationIn(own, field)
    const maker = manifests.get(makerOf(object, world))
    return maker === undefined ? nowhere : locationIn(maker, '')
  }
}

export const locationIn = ({ source, lineOf }: Manifest, field: string): Location => ({
  file: source.file,
  line: field === '' ? source.line : lineOf(field),
})

/** A manifest may omit the namespace `default`. */
const withoutDefault = (object: string): string => object.replace('/default/', '/')

/** A tenant creates pools (R4.14); a node may be known by its NodeInterfaces alone. */
function makerOf(object: string, world: ReadonlyWorld): string {
  const [kind = '', ...names] = object.split('/')
  const name = names.at(-1) ?? ''
  if (kind === 'Node') return `NodeInterfaces/${name}`
  const madeFrom = kind === 'IPAddressPool' ? (world.pools.get(name)?.madeFrom ?? '') : ''
  return madeFrom === siteMaker ? siteMaker : `Tenant/${madeFrom}`
}
