// Which variables does a shell file set? Read line by line, and never executed: a value that a
// shell would have to work out is no value.

type Variables = {
  readonly values: ReadonlyMap<string, string>
  /** Set to something that only a shell could tell. */
  readonly unreadNames: ReadonlySet<string>
  /** One sentence for each line that sets nothing that can be read. */
  readonly unread: readonly string[]
  /** Whether it has lines that could set anything, such as one that sources another file. */
  readonly hasCommands: boolean
}

export function readEnvFile(text: string, file: string): Variables {
  const values = new Map<string, string>()
  const unreadNames = new Set<string>()
  const unread: string[] = []
  let hasCommands = false
  text.split(/\r?\n/).forEach((line, index) => {
    const place = `${file}:${index + 1}`
    const bare = line.trim()
    if (bare === '' || bare.startsWith('#') || setsNothing.test(bare)) return
    const [, name, rest = ''] = /^(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)=(.*)$/.exec(bare) ?? []
    if (name === undefined) {
      hasCommands = true
      unread.push(`${place}: not an assignment, and not executed: ${bare.slice(0, 60)}`)
      return
    }
    const value = plainValue(rest)
    if (value === undefined) {
      // What it was set to before is not what it is.
      values.delete(name)
      unreadNames.add(name)
      unread.push(
        `${place}: ${name} is worked out by a shell, which berth does not run; write the value`,
      )
    } else {
      values.set(name, value)
      unreadNames.delete(name)
    }
  })
  return { values, unreadNames, unread, hasCommands }
}

/** How the shell behaves, and what it hands on to programs. */
const setsNothing = /^(?:set\s+[-+][\w\s]*|export(?:\s+[A-Za-z_][A-Za-z0-9_]*)+)$/

/** Quoted or bare, with a comment after it. */
function plainValue(text: string): string | undefined {
  const [, single, double, bare] =
    /^(?:'([^']*)'|"([^"$`\\]*)"|([^\s'"$`\\;&|<>(){}*?~!]*))(?:\s+#.*)?$/.exec(text) ?? []
  return single ?? double ?? bare
}
