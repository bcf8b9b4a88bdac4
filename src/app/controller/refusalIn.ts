// May a NetConfig be made so? Its webhook does not see what the controller writes: what it would
// refuse of anybody is refused here, and told as if the API had done it (R4.23).
import { errorsText } from '../../core/model/fieldError.ts'
import type { JsonObject } from '../../core/model/gate.ts'
import type { ReadonlyWorld } from '../../core/model/world.ts'
import { check } from '../../core/policy/check/check.ts'
import { decode } from '../../edge/kube/decode/decode.ts'

export const refusalIn =
  (world: ReadonlyWorld) =>
  (wanted: JsonObject, there: JsonObject | undefined): string | undefined => {
    const view = netConfigIn(wanted)
    if (view === undefined) return undefined
    const before = there && netConfigIn(there)
    const errors = check(world, { view, before, bgpMode: 'native' })
    return errors.length === 0 ? undefined : errorsText(errors)
  }

function netConfigIn(json: JsonObject) {
  const decoded = decode(json)
  return decoded.kind === 'view' && decoded.view.kind === 'NetConfig' ? decoded.view : undefined
}
