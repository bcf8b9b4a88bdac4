// Which variables does a shell file set? Read line by line, and never executed: a value that a
// shell would have to work out is no value.

type Variables = {
  readonly values: ReadonlyMap<string, string>
  /** Set to something that only a shell could tell. */
  readonly unreadNames: ReadonlySet<string>
  /** Those of the values that a later line, which is not executed, may have changed. */
  readonly doubtful: ReadonlySet<string>
  /** One sentence for each line that sets nothing that can be read. */
  readonly unread: readonly string[]
  /** Whether it has lines that could set anything, such as one that sources another file. */
  readonly hasCommands: boolean
}

export function readEnvFile(text: string, file: string): Variables {
  const values = new Map<string, string>()
  const [unreadNames, doubtful] = [new Set<string>(), new Set<string>()]
  const unread: string[] = []
  let [hasCommands, openBlocks] = [false, 0]
  const forget = (name: string): void => {
    // What it was set to before is not what it is.
    values.delete(name)
    unreadNames.add(name)
  }
  text.split(/\r?\n/).forEach((line, index) => {
    const place = `${file}:${index + 1}`
    const bare = line.trim()
    if (bare === '' || bare.startsWith('#') || setsNothing.test(bare)) return
    const assignments = assignmentsIn(bare)
    if (assignments === undefined) {
      hasCommands = true
      openBlocks = Math.max(0, openBlocks + blocksOpenedBy(bare))
      unread.push(`${place}: not an assignment, and not executed: ${bare.slice(0, 60)}`)
      if (isDefault.test(bare)) return
      for (const [, name = ''] of bare.matchAll(/\b([A-Za-z_]\w*)\+?=/g)) forget(name)
      for (const name of values.keys()) doubtful.add(name)
      return
    }
    for (const [name, word] of assignments) {
      const value = openBlocks > 0 ? undefined : plainValue(word)
      if (value !== undefined) {
        values.set(name, value)
        unreadNames.delete(name)
        doubtful.delete(name)
        continue
      }
      forget(name)
      const why =
        openBlocks > 0
          ? `${name} is set inside a block, which berth does not run; write it outside`
          : `${name} is worked out by a shell, which berth does not run; write the value`
      unread.push(`${place}: ${why}`)
    }
  })
  return { values, unreadNames, doubtful, unread, hasCommands }
}

/** How the shell behaves, and what it hands on to programs. */
const setsNothing =
  /^(?:set\s+[-+][\w\s]*|(?:export|readonly|declare\s+-[xr]+)(?:\s+[A-Za-z_][A-Za-z0-9_]*)+)$/
/** A default, `: "${NAME:=value}"`, changes nothing that has a value. */
const isDefault = /^:(?:\s[^;&|]*)?$/

/** Each with its word, all of which a shell would make one value of. */
function assignmentsIn(line: string): readonly (readonly [string, string])[] | undefined {
  const given = line.replace(/^(?:(?:export|readonly)|declare(?:\s+-[xr]+)?)\s+/, '')
  const found: (readonly [string, string])[] = []
  const next = new RegExp(assignment, 'y')
  while (next.lastIndex < given.length && given[next.lastIndex] !== '#') {
    const [, name, word = ''] = next.exec(given) ?? []
    if (name === undefined) return undefined
    found.push([name, word])
  }
  return found
}

/** What is quoted or substituted may hold anything; beside it, nothing begins another command. */
const piece = [
  /'[^']*'/,
  /"[^"]*"/,
  /\$\([^()]*\)/,
  /\$\{[^{}]*\}/,
  /`[^`]*`/,
  /[^\s'"`;&|<>(){}\\]/,
]
const word = `(?:${piece.map(({ source }) => source).join('|')})*`
const assignment = `([A-Za-z_][A-Za-z0-9_]*)=(${word})(?:\\s+|$)`

/** Quoted or bare. */
function plainValue(word: string): string | undefined {
  const [, single, double, bare] =
    /^(?:'([^']*)'|"([^"$`\\]*)"|([^\s'"$`\\;&|<>(){}*?~!]*))$/.exec(word) ?? []
  return single ?? double ?? bare
}

const [opens, closes] = [
  new Set(['if', 'case', 'for', 'while', 'until', 'select', '{', '(']),
  new Set(['fi', 'esac', 'done', '}', ')']),
]

/** Less than none where it closes more. */
function blocksOpenedBy(line: string): number {
  const bare = line.replaceAll(/'[^']*'|"[^"]*"/g, '""').replace(/(?:^|\s)#.*$/, '')
  const commands = bare
    .split(/[;&|]+/)
    .map((part) => part.trim().replace(/^(?:then|do|else)\s+/, ''))
  // A word is the shell's own where a command begins; a bracket also where a line ends.
  const words = commands.map((command) => command.split(/\s/, 1)[0] ?? '')
  const hasOpened = /\S\s*[{(]$/.test(commands.at(-1) ?? '')
  return (
    words.filter((word) => opens.has(word)).length +
    (hasOpened ? 1 : 0) -
    words.filter((word) => closes.has(word)).length
  )
}
