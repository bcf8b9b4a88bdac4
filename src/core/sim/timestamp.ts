// What does a virtual time look like in the API? RFC 3339 in UTC, from seconds since 1970.

export function timestamp(seconds: number): string {
  const days = Math.floor(seconds / 86_400)
  const [hour, minute, second] = [
    Math.floor(seconds / 3600) % 24,
    Math.floor(seconds / 60) % 60,
    seconds % 60,
  ].map(two)
  return `${dateOf(days)}T${hour}:${minute}:${second}Z`
}

/** Civil date from days since 1970-01-01: years are counted from March, so leap days come last. */
function dateOf(days: number): string {
  const shifted = days + 719_468
  const era = Math.floor(shifted / 146_097)
  const ofEra = shifted - era * 146_097
  const year = Math.floor(
    (ofEra - Math.floor(ofEra / 1460) + Math.floor(ofEra / 36_524) - Math.floor(ofEra / 146_096)) /
      365,
  )
  const ofYear = ofEra - (365 * year + Math.floor(year / 4) - Math.floor(year / 100))
  const month = Math.floor((5 * ofYear + 2) / 153)
  const day = ofYear - Math.floor((153 * month + 2) / 5) + 1
  const civil = month < 10 ? month + 3 : month - 9
  return `${era * 400 + year + (civil <= 2 ? 1 : 0)}-${two(civil)}-${two(day)}`
}

const two = (value: number): string => String(value).padStart(2, '0')
