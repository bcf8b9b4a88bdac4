// May the controller write this NetConfig? The webhook does not see the controller's own writes, so
// they are checked here, and a refusal is reported as if the API had sent it (R4.23).
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
