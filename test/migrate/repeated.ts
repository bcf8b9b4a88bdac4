// Which messages does a log repeat, more often than this and each time within three seconds?
const soonMs = 3_000

export function repeated(log: string, most: number): readonly string[] {
  const runs = new Map<string, { readonly atMs: number; readonly count: number }>()
  const found = new Set<string>()
  for (const line of log.split('\n')) {
    const [, at = '', message] = /^\{"ts":"([^"]+)",(.*)$/.exec(line) ?? []
    if (message === undefined) continue
    const [before, atMs] = [runs.get(message), Date.parse(at)]
    const count = before !== undefined && atMs - before.atMs <= soonMs ? before.count + 1 : 1
    if (count > most) found.add(message)
    runs.set(message, { atMs, count })
  }
  return [...found]
}
