// What did the soak do? One row for each property: how often, with which seed, and whether it held.

export type Soaked = {
  readonly title: string
  readonly seed: number
  readonly runs: number
  readonly seconds: number
  /** Where in the runs of the seed it failed; null when it did not. */
  readonly path: string | null
}
type Soak = {
  readonly date: string
  readonly minutes: number
  readonly node: string
  readonly soaked: readonly Soaked[]
}

export function soakPage({ date, minutes, node, soaked }: Soak): string {
  const rows = soaked.map(({ title, seed, runs, seconds, path }) => {
    const outcome = path === null ? 'held' : `failed, path ${path}`
    const cells = [title, runs.toLocaleString('en'), seed, `${seconds.toFixed(0)} s`, outcome]
    return `| ${cells.join(' | ')} |`
  })
  const total = soaked.reduce((sum, { runs }) => sum + runs, 0).toLocaleString('en')
  const failures = soaked.filter(({ path }) => path !== null).length
  return `# Soak

${date}, Node ${node}: ${total} runs in ${minutes.toFixed(1)} minutes, ${failures} failures. Made
by \`make soak\`; \`BERTH_SOAK_RUNS\` is how many histories, \`BERTH_SOAK_SEED\` the first seed.

| property | runs | seed | time | outcome |
| --- | --- | --- | --- | --- |
${rows.join('\n')}

A run of the first is a history of up to 51 steps (objects applied, changed and deleted, restarts);
after each of them every promise is checked: no address held twice, nobody moved by another's
change, the fence of tenants, quotas, nobody waiting for what could be had, the Address objects, the
words of every condition, and every index against one computed from the objects alone. The second
applies one set of objects in two orders. The rest feed parsers, decoders and admission with real
input that was damaged.
`
}
