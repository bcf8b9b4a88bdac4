// Which columns does an Event have? When it happened, to which object, and the message.
import type { Fields } from '../../kube/decode/fields.ts'
import { ageOf } from './age.ts'
import { fieldsOf, nameHeading, type Shape } from './shape.ts'

export const eventShape: Shape = {
  headings: [
    { name: 'Last Seen', of: 'lastTimestamp' },
    { name: 'Type', of: 'type' },
    { name: 'Reason', of: 'reason' },
    { name: 'Object', of: 'involvedObject' },
    { name: 'Subobject', of: 'involvedObject.fieldPath', priority: 1 },
    { name: 'Source', of: 'source', priority: 1 },
    { name: 'Message', of: 'message' },
    { name: 'First Seen', of: 'firstTimestamp', priority: 1 },
    { name: 'Count', of: 'count', priority: 1 },
    { ...nameHeading, priority: 1 },
  ],
  cells: (object, nowMs) => {
    const event = fieldsOf(object)
    const { first, last, count } = timesOf(event)
    const involved = event.inner('involvedObject')
    return [
      ageOf(last, nowMs),
      event.text('type'),
      event.text('reason'),
      [involved.text('kind').toLowerCase(), involved.text('name')].filter(Boolean).join('/'),
      involved.text('fieldPath'),
      sourceOf(event),
      event.text('message').trim(),
      ageOf(first, nowMs),
      count,
      event.inner('metadata').text('name'),
    ]
  },
}

type Times = { readonly first: string; readonly last: string; readonly count: number }

/** An Event has the older fields (timestamps, count) or the newer ones (eventTime, series). */
function timesOf(event: Fields): Times {
  const first = event.text('firstTimestamp') || event.text('eventTime')
  const series = event.inner('series')
  if (event.has('series')) {
    return { first, last: series.text('lastObservedTime'), count: series.number('count') ?? 0 }
  }
  return { first, last: event.text('lastTimestamp') || first, count: event.number('count') || 1 }
}

function sourceOf(event: Fields): string {
  const source = event.inner('source')
  const component = source.text('component') || event.text('reportingComponent')
  const host = source.text('host') || event.text('reportingInstance')
  return host === '' ? component : `${component}, ${host}`
}
