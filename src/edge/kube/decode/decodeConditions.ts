// What do the conditions of an OpenStack object say?
import type { LibCondition } from '../../../core/model/ipam/ipSet.ts'
import type { Fields } from './fields.ts'
import { internedList } from './interned.ts'

/** There are thousands, and most say the same. */
export const conditionsOf = (status: Fields): readonly LibCondition[] =>
  internedList(
    status.each('conditions').map((condition) => {
      const severity = condition.text('severity')
      return {
        type: condition.text('type'),
        status: condition.text('status'),
        ...(severity === '' ? {} : { severity }),
        reason: condition.text('reason'),
        message: condition.text('message'),
        lastTransitionTime: condition.text('lastTransitionTime'),
      }
    }),
  )
