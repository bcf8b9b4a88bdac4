// How do OpenStack's operators report? Ready first, the others by type; a time moves only when
// something else does; Ready repeats the worst of the others (O1.8).
import type { LibCondition } from '../model/ipam/ipSet.ts'

export type Said = Pick<LibCondition, 'status' | 'reason' | 'message' | 'severity'>

export const saidTrue = (message: string): Said => ({ status: 'True', reason: 'Ready', message })

export const saidUnknown = (message: string): Said => ({
  status: 'Unknown',
  reason: 'Init',
  message,
})

/** What a user has to mend. */
export const saidError = (message: string): Said => ({
  status: 'False',
  severity: 'Error',
  reason: 'Error',
  message,
})

/** What is under way. */
export const saidProgress = (message: string): Said => ({
  status: 'False',
  severity: 'Info',
  reason: 'Requested',
  message,
})

const complete = saidTrue('Setup complete')

export function conditionsAfter(
  before: readonly LibCondition[],
  said: Readonly<Record<string, Said>>,
  now: string,
): readonly LibCondition[] {
  const others = Object.keys(said)
    .sort()
    .flatMap((type) => {
      const one = said[type]
      return one === undefined ? [] : [stamped({ before, now }, type, one)]
    })
  return [stamped({ before, now }, 'Ready', readyOf(others)), ...others]
}

/** False before Unknown, Error before Warning before Info; of two alike the later one. */
function readyOf(others: readonly LibCondition[]): Said {
  const wrong = others.filter(({ status }) => status !== 'True')
  const [worst] = wrong.sort((one, other) => {
    const order = rankOf(one) - rankOf(other)
    return order !== 0 ? order : one.lastTransitionTime < other.lastTransitionTime ? 1 : -1
  })
  if (worst === undefined) return complete
  const { type: _, lastTransitionTime: __, ...ready } = worst
  return ready
}

const severities = ['Error', 'Warning', 'Info']

const rankOf = ({ status, severity = 'Error' }: LibCondition): number =>
  status === 'False' ? severities.indexOf(severity) : severities.length

function stamped(
  { before, now }: { readonly before: readonly LibCondition[]; readonly now: string },
  type: string,
  { status, severity, reason, message }: Said,
): LibCondition {
  const known = before.find((one) => one.type === type)
  const isSame =
    known !== undefined &&
    known.status === status &&
    known.severity === severity &&
    known.reason === reason &&
    known.message === message
  const lastTransitionTime = isSame ? known.lastTransitionTime : now
  return {
    type,
    status,
    ...(severity === undefined ? {} : { severity }),
    reason,
    message,
    lastTransitionTime,
  }
}
